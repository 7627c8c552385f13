import type { Person } from "../../commons/cli/person.ts";
import type { Approvals } from "../../commons/guard/approvals.ts";
import type { TrustDesk } from "../../commons/trust/trust-desk.ts";
import { userName } from "../../platform/host/user-name.ts";

type Terminal = { stdin: NodeJS.ReadStream; stderr: NodeJS.WriteStream };

type PersonOptions = { root: string; terminal: Terminal; approvals(): Promise<Approvals> };

/** The person at this machine. Everything heavy loads when asked for. */
export function openPerson({ root, terminal, approvals }: PersonOptions): Person {
  return {
    trust: async (signal) => (await openTrustDesk()).state(root, signal),
    giveTrust: async (shown) => (await openTrustDesk()).give(shown, userName()),
    takeTrustBack: async () => (await openTrustDesk()).takeBack(root),
    approvals: async () => (await approvals()).waiting(),
    decide: async (shown, decision) => (await approvals()).decide(shown, decision, userName()),
    confirm: (question, signal) => confirm(question, terminal, signal),
  };
}

async function openTrustDesk(): Promise<TrustDesk> {
  const [{ TrustDesk }, { Git }] = await Promise.all([
    import("../../commons/trust/trust-desk.ts"),
    import("../../platform/git/git.ts"),
  ]);
  return new TrustDesk({ git: new Git() });
}

/** Only a plain yes is one; the end of the input, Ctrl+C and anything else is a no. */
async function confirm(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const { createInterface } = await import("node:readline");
  // Not readline's own terminal: that would take Ctrl+C for itself.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false, signal });
  try {
    stderr.write(`${question} [y/N] `);
    const answer = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
    stdin.pause();
  }
}
