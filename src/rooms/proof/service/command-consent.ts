import { createHash } from "node:crypto";
import type { Check, CheckHow } from "../../../commons/evidence/checks.ts";
import type { Guard, MarkedText } from "../../../commons/guard/index.ts";
import { isTestCommand } from "../../../commons/test-runs/project/configured-commands.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Lazy } from "../../../kernel/definitions/room.ts";
import { isSignedBy } from "../../../kernel/principal.ts";

type ConsentDeps = {
  guard: Pick<Guard, "require" | "requirePerson" | "hasReadUntrusted" | "marks">;
  projectRoot: string;
  /** Whether tickets are on a team's server, which says who bound a check. */
  isShared: Lazy<boolean>;
  /** Whether the caller verifies as the team's CI, with a token that an admin created for that. */
  isCi(call: Call): Promise<boolean>;
};

/**
 * Whether a check's command is run. Trust says that a command may run; it does not say that it should because others want it to:
 * a script that the user trusts may publish or deploy. The user is asked once for each command.
 */
export class CommandConsent {
  readonly #deps: ConsentDeps;

  constructor(deps: ConsentDeps) {
    this.#deps = deps;
  }

  /** Before a check is bound: who has read text by others may be following it. */
  async requireBind(call: Call, ticketId: string, how: CheckHow): Promise<void> {
    await this.#requireOwnWish(
      call,
      [how],
      (commands) => `Let Forge run ${commands} as a check of ${ticketId}${later}`,
    );
    if (await this.#deps.isShared()) await this.#allow(call, await this.#listNew([how]));
  }

  /** The same before checks from a file are run. */
  async requireRerun(call: Call, checks: readonly Check[]): Promise<void> {
    const hows = checks.map(({ how }) => how);
    await this.#requireOwnWish(
      call,
      hows,
      (commands) => `Run ${commands} because a receipt lists it as a check${later}`,
    );
  }

  /**
   * Before a ticket's checks are run: what another member bound is that member's choice. A server's word on who bound it does not
   * count; what was bound from here is remembered here.
   */
  async requireVerify(call: Call, ticketId: string, checks: readonly Check[]): Promise<void> {
    const isShared = await this.#deps.isShared();
    const others = checks.filter(({ by }) => isShared || !isSignedBy(by, call.principal));
    const commands = await this.#listNew(others.map(({ how }) => how));
    if (commands.length === 0 || (await this.#deps.isCi(call))) return;
    const summary = `Run ${nameAll(commands)} as a check of ${ticketId}${later}`;
    const why = "someone else chose the command for this check";
    const change = { summary, touches: commands.map(touchOf), content: commands, why, lasts: true };
    await this.#deps.guard.requirePerson(call, change);
    await this.#allow(call, commands);
  }

  /**
   * Before checks are run on a commit that is in no work of the user's, such as that of a pull request that was fetched: its code and
   * tests would run, which trust says nothing about.
   */
  async requireOtherCommit(call: Call, ticketId: string, commit: string): Promise<void> {
    const summary = `Run the checks of ${ticketId} on commit ${commit.slice(0, 12)}, which is not in your branch`;
    await this.#deps.guard.require(call, { summary, touches: [`commit:${commit}`], content: commit }, { touches: [] });
  }

  async #requireOwnWish(call: Call, hows: readonly CheckHow[], describe: (commands: string) => string): Promise<void> {
    const { guard } = this.#deps;
    if (!(await guard.hasReadUntrusted(call.principal))) return;
    const commands = await this.#listNew(hows);
    if (commands.length === 0) return;
    const summary = describe(nameAll(commands));
    const change = { summary, touches: commands.map(touchOf), content: commands, lasts: true };
    await guard.require(call, change, { touches: [] });
    await this.#allow(call, commands);
  }

  /** Those that are more than the project's tests, and that the user has not allowed before. */
  async #listNew(hows: readonly CheckHow[]): Promise<string[][]> {
    const { guard, projectRoot } = this.#deps;
    const commands = hows.flatMap((how) => ("command" in how ? [how.command] : []));
    const unique = new Map(commands.map((words) => [JSON.stringify(words), words]));
    const found: string[][] = [];
    for (const words of unique.values())
      if (!isTestCommand(projectRoot, words) && !(await guard.marks.has(markOf(words)))) found.push(words);
    return found;
  }

  async #allow({ principal }: Call, commands: readonly string[][]): Promise<void> {
    for (const words of commands) await this.#deps.guard.marks.add(markOf(words), principal.name);
  }
}

/** The answer is remembered for the command. */
const later = ", and as any other check from then on without asking";

function nameAll(commands: readonly string[][]): string {
  return commands.map((words) => `"${words.join(" ")}"`).join(", ");
}

function touchOf(words: readonly string[]): string {
  return `command:${words.join(" ")}`;
}

function markOf(words: readonly string[]): MarkedText {
  const sha256 = createHash("sha256").update(JSON.stringify(words)).digest("hex");
  return { kind: "allowed", subject: `command:${sha256}`, sha256 };
}
