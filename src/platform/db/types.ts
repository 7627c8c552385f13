import type { Kysely, Transaction } from "kysely";

export type Engine = "sqlite" | "postgres";

/** Where the data is: a SQLite file of one machine, or a PostgreSQL database of a team. */
export type Place = { file: string } | { url: string };

/** One step of the schema, forward only. Its id is its place in the one list of the whole program, counted from 1. */
export type Migration = {
  id: number;
  name: string;
  up(db: Kysely<unknown>, engine: Engine): Promise<void>;
};

/** A SQLite file before anything of it is used. */
export type UnopenedStore = {
  file: string;
  /** Whether there is nothing in it yet. */
  isEmpty: boolean;
  hasTable(name: string): boolean;
  /** The rows of a query, as objects. */
  rows(sql: string): Record<string, unknown>[];
};

/**
 * Decides whether a SQLite file is used: it may have come with a repository. Called before its schema is brought up to date;
 * throws to leave it as it is. Returns what is to be done in the transaction that brings the schema up to date.
 */
export type Admission = {
  /** Called first if there is a log beside the file: opening the file would bring the log's content into it. */
  requireOwnLog(log: string): Promise<void>;
  admit(store: UnopenedStore): Promise<Settlement | undefined>;
};

export type Settlement = (db: Kysely<unknown>) => Promise<void>;

/** What may be done outside a transaction: looking. Changes go through `Database.transaction`. */
export type Reads<Schema> = Pick<
  Kysely<Schema>,
  "selectFrom" | "selectNoFrom" | "with" | "withRecursive" | "fn" | "dynamic" | "getExecutor"
>;

/** An engine that is open and has its schema up to date. */
export type OpenEngine<Schema> = {
  reads: Reads<Schema>;
  /** Runs the work in one transaction nobody else's is mixed with; may run it again where that is the only way. */
  transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};
