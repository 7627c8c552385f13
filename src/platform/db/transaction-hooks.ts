import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction } from "kysely";

/** The work some piece of code runs in, if any. */
type Scope = { of: object; active: boolean };

const scopes = new AsyncLocalStorage<Scope>();

/** What rows that are written at once have in common. */
type BatchKey = object | string;

/** Rows that those who share a commit write at once. */
type RowBatch = {
  key: BatchKey;
  rows: readonly unknown[];
  write(tx: object, rows: readonly unknown[]): Promise<unknown>;
};

/** What is to happen around the commit of a work's changes. */
class Hooks {
  readonly batches: RowBatch[] = [];
  readonly before: (() => void)[] = [];
  readonly after: (() => void)[] = [];

  beforeCommit(): void {
    for (const hook of this.before) hook();
  }

  afterCommit(): void {
    for (const hook of this.after) hook();
  }
}

const hooks = new WeakMap<object, Hooks>();

/** Has something done once the transaction is committed, and only then. */
export function afterCommit<Schema>(tx: Transaction<Schema>, done: () => void): void {
  hooksOf(tx).after.push(done);
}

/** Has something looked at just before the commit; where it throws, nothing is kept. */
export function beforeCommit<Schema>(tx: Transaction<Schema>, check: () => void): void {
  hooksOf(tx).before.push(check);
}

/**
 * Has rows written at the end of the transaction, in one go with those that others who share its commit have for the same
 * `key`; in the order of the works. For rows that nobody asks for before.
 */
export function writeTogether<Schema, Row>(
  tx: Transaction<Schema>,
  key: BatchKey,
  rows: readonly Row[],
  write: (tx: Transaction<Schema>, rows: readonly Row[]) => Promise<unknown>,
): void {
  hooksOf(tx).batches.push({ key, rows, write } as unknown as RowBatch);
}

/** Writes what the works behind these transactions have left to be written together. */
export async function writeBatches(tx: object, made: readonly { tx: object }[]): Promise<void> {
  const lots = new Map<BatchKey, RowBatch>();
  for (const lot of made.flatMap((one) => hooksOf(one.tx).batches)) {
    const rows = [...(lots.get(lot.key)?.rows ?? []), ...lot.rows];
    lots.set(lot.key, { ...lot, rows });
  }
  for (const { rows, write } of lots.values()) await write(tx, rows);
}

export function hooksOf(tx: object): Hooks {
  const known = hooks.get(tx);
  if (!known) throw new Error("Hooks need the very transaction that Database.transaction gave.");
  return known;
}

/** Runs work in a transaction of its own object, which its hooks are known by. */
export async function runInScope<Schema, T>(
  tx: Transaction<Schema>,
  of: object,
  work: (tx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  hooks.set(tx, new Hooks());
  const scope: Scope = { of, active: true };
  try {
    return await scopes.run(scope, () => work(tx));
  } finally {
    scope.active = false;
    // On Node 20 every promise of the program is slower while this is on; the next work turns it on again.
    scopes.disable();
  }
}

/** Work that asked for a transaction would wait for itself. */
export function refuseNested(of: object): void {
  const outer = scopes.getStore();
  if (!outer?.active || outer.of !== of) return;
  throw new Error("A transaction was asked for inside another one, which would wait for itself: pass `tx` on instead.");
}
