import type { Transaction } from "kysely";
import type { CallRecord, LogLevel } from "../../kernel/calls/call.ts";
import type { Recorder } from "../../kernel/calls/invoke.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { afterCommit, beforeCommit, type Database, writeTogether } from "../../platform/db/database.ts";
import { EntryStore, type Retention } from "./entry-store.ts";
import { alreadyAnswered } from "./errors.ts";
import { LivenessKeeper } from "./liveness-keeper.ts";
import type { LedgerEntry, LedgerFilter } from "./model.ts";
import { OnceKeys } from "./once.ts";
import { type NewRow, toRow } from "./rows.ts";
import type { LedgerTables } from "./schema.ts";
import { Tail } from "./tail.ts";
import { Upkeep } from "./upkeep.ts";
import { WriteBehind } from "./write-behind.ts";

export type LedgerOptions = {
  database: Database<unknown>;
  redactor: Redactor;
  log(level: LogLevel, message: string): void;
  now?: () => number;
  /** Default: 90. */
  retentionDays?: number;
  /** Default: 100,000. */
  retentionEntries?: number;
  /** That number is of each team's entries, on a server. */
  ofEachTeam?: boolean;
  /** In milliseconds: how long reads' entries wait, how long a silent process counts as alive, how often others are looked for. */
  timing?: Partial<{ flush: number; lease: number; poll: number }>;
};

/** An entry to write; `replaces` one with the same id, which is kept otherwise. The row is made then: no answer waits for that. */
type WaitingEntry = { row(): NewRow; replaces: boolean };

const defaultRetention = { days: 90, entries: 100_000 };
const defaultTiming = { flush: 200, lease: 15_000 };
/** A change should not wait for more entries than this. */
const maxSharedEntries = 20;
const defaultPollMs = { sqlite: 250, postgres: 1_000 };

/** What every call left behind: who, what, on what, and how it ended. Nothing is opened before the first entry or question. */
export class Ledger implements Recorder {
  readonly #options: LedgerOptions;
  readonly #now: () => number;
  readonly #database: Database<LedgerTables>;
  readonly #entries: EntryStore;
  readonly #behind: WriteBehind<WaitingEntry>;
  readonly #alive: LivenessKeeper;
  readonly #tail: Tail;
  readonly #upkeep: Upkeep;
  /** Which requests' changes were made, for those that come twice. */
  readonly once: OnceKeys;
  readonly #ended = new AbortController();
  /** The records each transaction under way has written. */
  readonly #underWay = new WeakMap<object, Set<CallRecord>>();
  /** What each committed record said then; what it gained since is written when the call ends. */
  readonly #committed = new WeakMap<CallRecord, string>();

  constructor(options: LedgerOptions) {
    const database = options.database.forTables<LedgerTables>();
    const retention: Retention = {
      days: options.retentionDays ?? defaultRetention.days,
      entries: options.retentionEntries ?? defaultRetention.entries,
      ofEachTeam: options.ofEachTeam ?? false,
    };
    const timing = { ...defaultTiming, poll: defaultPollMs[database.engine], ...options.timing };
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#database = database;
    this.#entries = new EntryStore(database, this.#now, timing.lease);
    this.once = new OnceKeys(database, this.#now);
    this.#tail = new Tail(this.#entries, timing.poll);
    this.#alive = new LivenessKeeper((ids) => this.#entries.keepAlive(ids), timing.lease / 3);
    this.#upkeep = new Upkeep(this.#entries, retention, timing.lease);
    this.#behind = new WriteBehind({
      delayMs: timing.flush,
      write: (waiting) => this.#store(waiting),
      failing: (error, waiting) => this.#warn(error, waiting),
    });
  }

  /** Records the intent of a change outside the database. Where that fails, the change must not be made. */
  async open(record: CallRecord): Promise<void> {
    await this.#store([{ row: () => this.#row(record, true), replaces: false }]);
    this.#alive.add(record.id);
  }

  /**
   * Records a change in its own transaction: both are there or neither. A call
   * that was opened stays open: it also does something outside the database. One that has been answered is refused, and the
   * change with it: the caller was told that it is not made.
   */
  async commit<Schema>(tx: Transaction<Schema>, record: CallRecord): Promise<void> {
    const written = this.#underWay.get(tx) ?? new Set();
    if (written.has(record)) return;
    refuseAnswered(record);
    this.#underWay.set(tx, written.add(record));
    const opened = this.#alive.has(record.id);
    const made: CallRecord = { ...record, outcome: opened ? "open" : "ok", durationMs: this.#now() - record.at };
    const links = linksOf(record);
    const inTx = tx as unknown as Transaction<LedgerTables>;
    if (record.once) await this.once.take(inTx, record.once, record.id);
    const row = this.#row(made, opened);
    if (opened || record.committed) await this.#entries.write(inTx, [row], "replaced");
    else writeTogether(inTx, this.#entries, [row], (all, rows) => this.#entries.write(all, rows, "kept"));
    // It may have been answered while this waited for the database, or for others that share its commit.
    beforeCommit(tx, () => refuseAnswered(record));
    afterCommit(tx, () => {
      record.committed = true;
      if (record.once) record.once.state = "kept";
      this.#committed.set(record, links);
      this.#tail.wake();
    });
  }

  /**
   * Records how a call ended. Reads and calls that changed nothing do not wait for it. What a transaction has recorded stays
   * so, also where the call failed after it: the change is made. Its entry gains what was linked since, and the code of what
   * the caller was told instead.
   */
  async close(record: CallRecord): Promise<void> {
    const opened = this.#alive.has(record.id);
    if (!opened && !record.committed) {
      // A transaction still under way may yet commit its own entry; that one is kept then.
      this.#behind.push({ row: () => this.#row(record, false), replaces: false });
      return;
    }
    if (!opened && record.outcome === "ok" && this.#committed.get(record) === linksOf(record)) return;
    this.#alive.remove(record.id);
    const ended: WaitingEntry = {
      row: () => this.#row(opened ? record : { ...record, outcome: "ok" }, false),
      replaces: true,
    };
    try {
      await this.#store([ended]);
    } catch (error) {
      this.#behind.push(ended);
      throw error;
    }
  }

  /** Takes in entries of another ledger, each once. Nothing can have been done after it was reported. */
  async take(records: readonly CallRecord[]): Promise<void> {
    const now = this.#now();
    const entries = records.map((record) => ({ ...record, at: Math.min(record.at, now) }));
    await this.#store(entries.map((record) => ({ row: () => this.#row(record, false), replaces: false })));
  }

  /**
   * The newest entries that fit, oldest first, in order of time; with `after`, the first ones after it, in the order in which
   * they were written.
   */
  async latest(filter: LedgerFilter = {}): Promise<LedgerEntry[]> {
    await this.#behind.flush();
    const entries = await this.#entries.find(filter);
    this.#upkeep.noteUse({ newest: 0, count: 0 });
    return entries;
  }

  /** The `seq` of the newest entry. */
  newest(): Promise<number> {
    return this.#entries.newestSeq();
  }

  /** Entries as they come, this process's and others', until the signal is aborted. One that changes comes again. */
  follow(filter: LedgerFilter, signal: AbortSignal): AsyncIterable<LedgerEntry> {
    return this.#tail.follow(filter, AbortSignal.any([signal, this.#ended.signal]));
  }

  /** Calls back when there is something new that is of interest; returns how to stop. */
  watch(changed: () => void, interesting: (entry: LedgerEntry) => boolean): () => void {
    const stop = new AbortController();
    void this.#tail.watch(interesting, changed, AbortSignal.any([stop.signal, this.#ended.signal]));
    return () => stop.abort();
  }

  /** Removes what a team has beyond its number of entries, in the background. */
  limitTeam(team: string): void {
    this.#upkeep.limitTeam(team);
  }

  /** Writes what is still waiting. */
  flush(): Promise<void> {
    return this.#behind.flush();
  }

  /** Writes what is still waiting and ends all followers. The database is closed afterwards, where it was opened. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#behind.stop();
    await this.#alive.stop();
    await this.#upkeep.stop();
  }

  #row(record: CallRecord, open: boolean): NewRow {
    return toRow(record, this.#options.redactor, open ? this.#entries.aliveUntil() : null);
  }

  async #store(waiting: WaitingEntry[]): Promise<void> {
    const write = async (tx: Transaction<LedgerTables>) => {
      let seq = 0;
      for (const replaces of [false, true]) {
        const rows = waiting.filter((item) => item.replaces === replaces).map((item) => item.row());
        if (rows.length > 0) seq = Math.max(seq, await this.#entries.write(tx, rows, replaces ? "replaced" : "kept"));
      }
      return seq;
    };
    const newest = await this.#database.transaction(write, { isLong: waiting.length > maxSharedEntries });
    this.#upkeep.noteUse({ newest, count: waiting.length });
    this.#tail.wake();
  }

  /** Not if every unrecorded call failed with the same error, which its caller was told. */
  #warn(error: unknown, waiting: WaitingEntry[]): boolean {
    if (error instanceof ForgeError && waiting.every((item) => item.row().code === error.code)) return false;
    const why = error instanceof ForgeError ? error.message : String(error);
    this.#options.log(
      "warning",
      this.#options.redactor.text(`The ledger cannot be written; calls continue without being recorded. ${why}`),
    );
    return true;
  }
}

function refuseAnswered({ name, outcome }: CallRecord): void {
  if (outcome !== "open") throw alreadyAnswered(name);
}

function linksOf({ about, evidence }: CallRecord): string {
  return JSON.stringify([about, evidence]);
}
