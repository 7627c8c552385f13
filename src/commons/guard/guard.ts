import type { Call, CallRecord, TextOrigin } from "../../kernel/calls/call.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import type { Database } from "../../platform/db/database.ts";
import { Approvals } from "./approvals.ts";
import { ConnectionReadings } from "./connection-readings.ts";
import { approvalNeeded, denied, notConfirmed, tooManyWaiting } from "./errors.ts";
import { agentOf, callerOf, findOutside, type GuardedChange, hashChange, type Scope } from "./guarded-change.ts";
import { Marks } from "./marks.ts";
import { confirmationQuestion, isConfirmed } from "./question.ts";
import { Readers } from "./readers.ts";
import type { GuardTables } from "./schema.ts";
import type { Seal } from "./seal.ts";
import type { UserReadings } from "./user-readings.ts";

type GuardOptions = {
  database: Database<unknown>;
  redactor: Redactor;
  seal: Seal;
  now?: () => number;
  /** Whether the user has trusted the project; by default its text is foreign. */
  isTrusted?: () => Promise<boolean>;
  /** What was read in all projects of the user; by default only this one counts. */
  everywhere?: UserReadings;
};

/**
 * Checks what an assistant changes after it has read text that others wrote, since it may be following that text: a change
 * outside the declared scope then needs a person's approval, for exactly that change.
 */
export class Guard {
  readonly approvals: Approvals;
  readonly marks: Marks;
  /** Whether the user has trusted the project, which makes its text the user's own. */
  readonly isTrusted: () => Promise<boolean>;
  readonly #readers: Readers;
  readonly #everywhere: UserReadings | undefined;
  readonly #connections = new ConnectionReadings();

  constructor({ database, redactor, seal, now = Date.now, isTrusted = async () => false, everywhere }: GuardOptions) {
    const tables = database.forTables<GuardTables>();
    this.approvals = new Approvals({ database: tables, redactor, seal, now });
    this.marks = new Marks({ database: tables, seal, now });
    this.isTrusted = isTrusted;
    this.#readers = new Readers({ database: tables, now, isTrusted, everywhere });
    this.#everywhere = everywhere;
  }

  /** For the kernel: this caller is about to get text that others wrote. */
  readonly noteUntrusted = async (principal: Principal, from: TextOrigin = "others"): Promise<void> => {
    if (principal.atKeyboard) return;
    this.#connections.note(principal, from);
    await this.#readers.note(principal, from);
  };

  /** Whether this caller may be writing what others told it to write; in the home, what was read in any project counts. */
  async hasReadUntrusted(principal: Principal): Promise<boolean> {
    return this.mayFollowOthers(principal, {});
  }

  /**
   * Whether one of these calls was made by a caller that has read text by others, and may have named things after it; or is about a
   * ticket or task whose id can be words: an imported one keeps the id that its file has.
   */
  async hasForeignCalls(calls: readonly Pick<CallRecord, "principal" | "agent" | "about">[]): Promise<boolean> {
    if (calls.some(({ about }) => about.some((subject) => /^ticket:(?!T-\d+$)/.test(subject)))) return true;
    if (await this.marks.hasForeign(calls.flatMap(({ about }) => about.flatMap(listSubjects)))) return true;
    const callers = calls.map(({ principal, agent }) => ({ principal, agent: agentOf({ agent }) }));
    return this.#readers.hasEverRead(callers);
  }

  /** Whether this caller may follow others in a change; of the user's own configuration, what was read in any project counts. */
  async mayFollowOthers(principal: Principal, action: Pick<GuardedChange, "ofUser">): Promise<boolean> {
    if (principal.atKeyboard) return false;
    return (await this.#readers.hasRead(principal)) || (await this.#everywhere?.countFor(action)) === true;
  }

  /**
   * Whether this caller has read text by others since it connected: what it turns to from then on, they may have chosen.
   * `others`: text of the repository does not count.
   */
  async hasReadHere(principal: Principal, from: "any" | "others" = "any"): Promise<boolean> {
    if (principal.atKeyboard) return false;
    const origins = this.#connections.of(principal);
    if (origins.has("others")) return true;
    return from === "any" && origins.has("repository") && !(await this.isTrusted());
  }

  /** Call it before changing anything; throws if the change must not be made. The ledger entry says why it was allowed. */
  async require(call: Call, action: GuardedChange, scope: Scope): Promise<void> {
    if (call.principal.atKeyboard) return;
    const outside = findOutside(scope, action);
    if (outside.length === 0 || !(await this.mayFollowOthers(call.principal, action))) return;
    await this.#ask(call, action, outside);
  }

  /** For what only a person may allow, whatever was read before. A person who gives the command is asked too. */
  async requirePerson(call: Call, action: GuardedChange & { why: string }): Promise<void> {
    await this.#ask(call, action, [...action.touches]);
  }

  async #ask(call: Call, action: GuardedChange, outside: string[]): Promise<void> {
    const noteDecision = (word: string) => void call.record.evidence.push(`guard:${word}`);
    try {
      noteDecision(await this.#confirm(call, action, outside));
    } catch (error) {
      noteDecision(error instanceof ForgeError ? "refused:outside-scope" : "asked:outside-scope");
      throw error;
    }
  }

  async #confirm(call: Call, action: GuardedChange, outside: string[]): Promise<string> {
    const sha256 = await hashChange(call, action);
    const question = confirmationQuestion(action, outside, call.record.kind === "command");
    if (question && call.canAsk("person")) {
      // Named after the change: an answer to another one, or to an earlier form of this one, is ignored.
      const key = `confirm-${sha256.slice(0, 32)}`;
      const answers = await call.ask({ [key]: question });
      if (isConfirmed(answers[key])) return "confirmed-by-person";
      throw notConfirmed(action, outside);
    }
    const verdict = await this.approvals.claim({ caller: callerOf(call.principal), sha256, action });
    switch (verdict.verdict) {
      case "approved":
        return `confirmed-by-person:${verdict.id}`;
      case "denied":
        throw denied(action, verdict.id);
      case "waiting":
        throw approvalNeeded(action, outside, verdict.id);
      case "too many":
        throw tooManyWaiting(action);
    }
  }
}

/** The names that the guard knows something by: a task's also by its block, as `task:BLOCK/TASK` with its slashes escaped. */
function listSubjects(about: string): string[] {
  const [, block] = /^task:([^/]*)\//.exec(about) ?? [];
  return block === undefined
    ? [about]
    : [about, `text:${about}`, `block:${block.replaceAll("%2F", "/").replaceAll("%25", "%")}`];
}
