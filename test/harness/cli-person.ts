import type { Person, ProjectReport } from "../../src/commons/cli/person.ts";
import type { Approval } from "../../src/commons/guard/approvals.ts";
import type { TrustState } from "../../src/commons/trust/trust-desk.ts";

export const project: ProjectReport = {
  root: "/home/ada/shop",
  inGit: true,
  store: { engine: "sqlite", place: "/home/ada/shop/.forge/forge.db", exists: false },
};

export function trustState(more: Partial<TrustState> = {}): TrustState {
  return {
    project: "/home/ada/shop",
    trusted: false,
    problem: undefined,
    since: undefined,
    by: undefined,
    items: [
      { id: "script:verify.sh", runs: "verify.sh", sha256: "a".repeat(64), status: "new" },
      { id: "package.json:test", runs: "sh -c vitest run", sha256: "b".repeat(64), status: "new" },
    ],
    gone: [],
    refused: [],
    ...more,
  };
}

const asked: Approval = {
  id: "1f0c9a2e",
  caller: '["local:ada","claude-code"]',
  sha256: "c".repeat(64),
  summary: "Write docs/public.md",
  touches: ["file:docs/public.md"],
  askedAt: Date.UTC(2026, 10, 1, 12),
  expiresAt: Date.now() + 3_600_000,
};

/** A person in memory, who says what they are told to and remembers what was done in their name. */
export class MemoryPerson implements Person {
  deeds: unknown[][] = [];
  asked: string[] = [];
  answer: boolean | undefined = true;
  state = trustState();
  waiting = [asked];

  async trust(): Promise<TrustState> {
    return this.state;
  }

  async giveTrust(shown: TrustState): Promise<void> {
    this.deeds.push(["giveTrust", shown]);
  }

  async takeTrustBack(): Promise<boolean> {
    this.deeds.push(["takeTrustBack"]);
    return this.state.since !== undefined;
  }

  async approvals(): Promise<Approval[]> {
    return this.waiting;
  }

  async decide(shown: Approval, decision: string): Promise<void> {
    this.deeds.push(["decide", shown.id, shown.sha256, decision]);
  }

  async confirm(question: string): Promise<boolean | undefined> {
    this.asked.push(question);
    return this.answer;
  }
}
