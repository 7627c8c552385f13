import type { Call } from "../../kernel/call.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Redactor } from "../../kernel/redact.ts";
import type { Database } from "../../platform/db/database.ts";
import { type Action, callerOf, hashOf, outsideOf, type Scope } from "./action.ts";
import { Approvals } from "./approvals.ts";
import { denied, notConfirmed, tooManyWaiting, waitsForPerson } from "./errors.ts";
import { confirmation, isConfirmed } from "./question.ts";
import { Readers } from "./readers.ts";
import type { GuardTables } from "./schema.ts";
import type { Seal } from "./seal.ts";

type GuardOptions = { database: Database<unknown>; redactor: Redactor; seal: Seal; now?: () => number };

/**
 * Stands between what others wrote and what an assistant changes. Whoever has read untrusted text may be following it; from
 * then on a change outside the declared scope needs a person's word, for exactly that change.
 */
export class Guard {
  readonly approvals: Approvals;
  readonly #readers: Readers;

  constructor({ database, redactor, seal, now = Date.now }: GuardOptions) {
    const tables = database.forTables<GuardTables>();
    this.approvals = new Approvals({ database: tables, redactor, seal, now });
    this.#readers = new Readers(tables, now);
  }

  /** For the kernel: this caller is about to be given what others wrote. */
  readonly noteUntrusted = async (principal: Principal): Promise<void> => {
    if (!principal.atKeyboard) await this.#readers.note(principal);
  };

  /** Whether what this caller writes may be what others told it to write. */
  async hasReadUntrusted(principal: Principal): Promise<boolean> {
    return !principal.atKeyboard && this.#readers.hasRead(principal);
  }

  /** Call it before changing anything; throws where the change must not be made. The ledger entry says why it may. */
  async require(call: Call, action: Action, scope: Scope): Promise<void> {
    if (call.principal.atKeyboard) return;
    const outside = outsideOf(scope, action);
    if (outside.length === 0 || !(await this.#readers.hasRead(call.principal))) return;
    const said = (word: string) => void call.record.evidence.push(`guard:${word}`);
    try {
      said(await this.#confirm(call, action, outside));
    } catch (error) {
      said(error instanceof ForgeError ? "refused:outside-scope" : "asked:outside-scope");
      throw error;
    }
  }

  async #confirm(call: Call, action: Action, outside: string[]): Promise<string> {
    const sha256 = hashOf(call, action);
    if (call.canAsk("person")) {
      // Named by the change: an answer given for another one, or for this one as it was before, is not looked at.
      const key = `confirm-${sha256.slice(0, 32)}`;
      const answers = await call.ask({ [key]: confirmation(action, outside) });
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
        throw waitsForPerson(action, outside, verdict.id);
      case "too many":
        throw tooManyWaiting(action);
    }
  }
}
