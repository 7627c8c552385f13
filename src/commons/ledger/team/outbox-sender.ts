import type { CallRecord, LogLevel } from "../../../kernel/calls/call.ts";
import type { Recorder } from "../../../kernel/calls/invoke.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Ledger } from "../ledger.ts";
import { isRelayMark, type LedgerEntry, presentEntry } from "../model.ts";
import type { Outbox } from "./outbox.ts";

type Entry = Omit<ReturnType<typeof presentEntry>, "seq" | "principal">;

type OutboxSenderOptions = {
  /** The laptop's own: entries are written to it first, and sent from it. */
  ledger: Pick<Ledger, "open" | "close" | "flush">;
  outbox: Pick<Outbox, "mark" | "next" | "markSent">;
  send(entries: Entry[], signal: AbortSignal): Promise<unknown>;
  log(level: LogLevel, message: string): void;
  delayMs?: number;
};

const defaultDelayMs = 1_000;
/** How long the end of a program may wait for it. */
const lastWaitMs = 2_000;
const maxCallMs = 1e9;

/**
 * Sends entries of the laptop's ledger to the team's. What cannot be sent now is sent later, by a later process, for as long as
 * the laptop's ledger has it. An entry may be sent twice, always with the same id. No call waits for it.
 */
export class OutboxSender implements Recorder {
  readonly #options: OutboxSenderOptions;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #hasNews = false;
  #isFailing = false;
  /** A change has not been sent yet. */
  #hasChanges = false;
  #hasWarned = false;
  /** The server accepts none from this user. */
  #isRejected = false;

  constructor(options: OutboxSenderOptions) {
    this.#options = options;
    // An earlier process may have left something.
    this.#schedule();
  }

  open(record: CallRecord): Promise<void> {
    return this.#options.ledger.open(this.#addMark(record));
  }

  async close(record: CallRecord): Promise<void> {
    await this.#options.ledger.close(this.#addMark(record));
    if (record.kind === "completion") return;
    if (record.effect !== "read" && record.outcome === "ok") this.#hasChanges = true;
    this.#hasNews = true;
    // The caller was told that the server cannot be reached; trying again at the end would only take time.
    if (record.code === "NETWORK_ERROR") this.#isFailing = true;
    this.#schedule();
  }

  /** Sends everything that waits; what cannot be sent stays. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isRejected) return Promise.resolve();
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#hasNews) this.#schedule();
    });
    return this.#sending;
  }

  /** The last attempt of this process, unless it has nothing to send or has just failed. */
  async stop(): Promise<void> {
    const giveUp = setTimeout(() => this.#ending.abort(), lastWaitMs);
    await this.#sending;
    if (this.#hasNews && !this.#isFailing) await this.flush();
    clearTimeout(this.#timer);
    clearTimeout(giveUp);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.delayMs ?? defaultDelayMs).unref();
  }

  /** First, so that it is there however many things a call is about. */
  #addMark(record: CallRecord): CallRecord {
    record.about = [this.#options.outbox.mark, ...record.about.filter((item) => !isRelayMark(item))];
    return record;
  }

  async #sendAll(): Promise<void> {
    const { ledger, outbox: untold } = this.#options;
    const refusals: ForgeError[] = [];
    try {
      this.#hasNews = false;
      await ledger.flush();
      for (;;) {
        const { after, entries } = await untold.next();
        const last = entries.at(-1);
        if (!last) break;
        refusals.push(...(await this.#sendBatch(entries.map(toWire))));
        await untold.markSent(after, last.seq);
      }
      this.#isFailing = false;
      this.#hasChanges = this.#hasNews && this.#hasChanges;
      this.#hasWarned = false;
    } catch (error) {
      this.#fail(error);
    }
    const [first] = refusals;
    if (!first) return;
    const count = refusals.length === 1 ? "One entry" : `${refusals.length} entries`;
    this.#options.log("warning", `${count} will not be in the team's ledger: the server rejected it. ${first.message}`);
  }

  /** An entry that the server rejects does not keep the others from being sent. */
  async #sendBatch(entries: Entry[]): Promise<ForgeError[]> {
    try {
      await this.#options.send(entries, this.#ending.signal);
      return [];
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (entries.length === 1) return [error];
      const half = Math.ceil(entries.length / 2);
      const first = await this.#sendBatch(entries.slice(0, half));
      return [...first, ...(await this.#sendBatch(entries.slice(half)))];
    }
  }

  #fail(error: unknown): void {
    const why = error instanceof ForgeError ? error.message : "";
    if (isUnwanted(error)) {
      this.#isRejected = true;
      this.#options.log("debug", `Entries are not sent to the team's ledger. ${why}`);
      return;
    }
    // Reads and failures need no warning beside the answer that the caller has.
    const level = this.#hasChanges && !this.#hasWarned ? "warning" : "debug";
    const later = "They stay in this project's ledger, and the next command that reaches the server sends them.";
    this.#options.log(level, `Entries could not be sent to the team's ledger. ${later} ${why}`.trim());
    this.#hasWarned ||= level === "warning";
    this.#isFailing = true;
  }
}

/** Without the principal, which the token tells. */
function toWire(entry: LedgerEntry): Entry {
  const { seq: _, principal: __, ...told } = presentEntry(entry);
  return { ...told, durationMs: Math.min(told.durationMs, maxCallMs) };
}

/** The server rejects the entries themselves. */
function isRefusal(error: unknown): error is ForgeError {
  if (!(error instanceof ForgeError) || isUnwanted(error)) return false;
  return error.code === "VALIDATION_ERROR" || error.code === "PERMISSION_DENIED";
}

/** A token without the scope, or a server that has no ledger. */
function isUnwanted(error: unknown): boolean {
  if (!(error instanceof ForgeError)) return false;
  if (error.code === "NOT_FOUND") return true;
  return error.code === "PERMISSION_DENIED" && error.details?.["scope"] !== undefined;
}
