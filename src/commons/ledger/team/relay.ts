import type { CallRecord, LogLevel } from "../../../kernel/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Recorder } from "../../../kernel/invoke.ts";
import type { Ledger } from "../ledger.ts";
import { isRelayMark, type LedgerEntry, shown } from "../model.ts";
import type { Untold } from "./untold.ts";

type Entry = Omit<ReturnType<typeof shown>, "seq" | "principal">;

type RelayOptions = {
  /** The laptop's own, which everything is in first and told from. */
  ledger: Pick<Ledger, "open" | "close" | "flush">;
  untold: Pick<Untold, "mark" | "next" | "told">;
  send(entries: Entry[], signal: AbortSignal): Promise<unknown>;
  log(level: LogLevel, message: string): void;
  delayMs?: number;
};

const defaultDelayMs = 1_000;
/** So long the end of a program may wait for it. */
const lastWaitMs = 2_000;
const maxCallMs = 1e9;

/**
 * Tells the team's ledger what was done here, from the laptop's own: what cannot be told now is told later, by whichever
 * process comes next, for as long as that ledger has it. An entry may be told twice, always with the same id. No call waits
 * for it.
 */
export class Relay implements Recorder {
  readonly #options: RelayOptions;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #telling: Promise<void> | undefined;
  #hasNews = false;
  #isFailing = false;
  /** Something was changed here that the server does not know yet. */
  #hasChanges = false;
  #hasComplained = false;
  /** The server takes none from this person. */
  #isUnwanted = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    // An earlier process may have left something.
    this.#schedule();
  }

  open(record: CallRecord): Promise<void> {
    return this.#options.ledger.open(this.#marked(record));
  }

  async close(record: CallRecord): Promise<void> {
    await this.#options.ledger.close(this.#marked(record));
    if (record.kind === "completion") return;
    if (record.effect !== "read" && record.outcome === "ok") this.#hasChanges = true;
    this.#hasNews = true;
    // Whoever called was told that the server cannot be asked: to try it once more at the end would only take time.
    if (record.code === "NETWORK_ERROR") this.#isFailing = true;
    this.#schedule();
  }

  /** Tells all there is to tell; what cannot be told stays. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isUnwanted) return Promise.resolve();
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined;
      if (this.#hasNews) this.#schedule();
    });
    return this.#telling;
  }

  /** The last try of this process, unless it has nothing of its own or has just seen that it is of no use. */
  async stop(): Promise<void> {
    const giveUp = setTimeout(() => this.#ending.abort(), lastWaitMs);
    await this.#telling;
    if (this.#hasNews && !this.#isFailing) await this.flush();
    clearTimeout(this.#timer);
    clearTimeout(giveUp);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.delayMs ?? defaultDelayMs).unref();
  }

  /** First, so that it is there however many things a call is about. */
  #marked(record: CallRecord): CallRecord {
    record.about = [this.#options.untold.mark, ...record.about.filter((item) => !isRelayMark(item))];
    return record;
  }

  async #tellAll(): Promise<void> {
    const { ledger, untold } = this.#options;
    const refusals: ForgeError[] = [];
    try {
      this.#hasNews = false;
      await ledger.flush();
      for (;;) {
        const { after, entries } = await untold.next();
        const last = entries.at(-1);
        if (!last) break;
        refusals.push(...(await this.#tell(entries.map(toWire))));
        await untold.told(after, last.seq);
      }
      this.#isFailing = false;
      this.#hasChanges = this.#hasNews && this.#hasChanges;
      this.#hasComplained = false;
    } catch (error) {
      this.#fail(error);
    }
    const [first] = refusals;
    if (!first) return;
    const count = refusals.length === 1 ? "One entry" : `${refusals.length} entries`;
    this.#options.log(
      "warning",
      `${count} of what was done here will not be in the team's ledger: the server refused it. ${first.message}`,
    );
  }

  /** One that the server refuses does not keep it from being told the others. */
  async #tell(entries: Entry[]): Promise<ForgeError[]> {
    try {
      await this.#options.send(entries, this.#ending.signal);
      return [];
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (entries.length === 1) return [error];
      const half = Math.ceil(entries.length / 2);
      const first = await this.#tell(entries.slice(0, half));
      return [...first, ...(await this.#tell(entries.slice(half)))];
    }
  }

  #fail(error: unknown): void {
    const why = error instanceof ForgeError ? error.message : "";
    if (isUnwanted(error)) {
      this.#isUnwanted = true;
      this.#options.log("debug", `The team's ledger is not told what is done here. ${why}`);
      return;
    }
    // What was only looked at, or failed, is not worth a second complaint beside the answer that the caller has.
    const level = this.#hasChanges && !this.#hasComplained ? "warning" : "debug";
    const later = "it stays in this project's own, and the next command that reaches the server tells it.";
    this.#options.log(level, `The team's ledger could not be told what was done here; ${later} ${why}`.trim());
    this.#hasComplained ||= level === "warning";
    this.#isFailing = true;
  }
}

/** Without who it was: the token says that. */
function toWire(entry: LedgerEntry): Entry {
  const { seq: _, principal: __, ...told } = shown(entry);
  return { ...told, durationMs: Math.min(told.durationMs, maxCallMs) };
}

/** The entries are at fault. */
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
