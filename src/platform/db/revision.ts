import type { Transaction } from "kysely";
import { ForgeError } from "../../kernel/errors.ts";

type Row = Record<string, unknown>;
type AnyTables = Record<string, Row>;

export type RevisedWrite = {
  table: string;
  /** The columns that name the row. */
  key: Record<string, string | number>;
  /** The revision the writer has seen. */
  expected: number;
  changes: Row;
  /** For messages: `ticket T-001`. */
  what: string;
  /** Columns as the writer saw them, where known: then "what changed" is exact, else it is told from `changes`. */
  base?: Row;
  /** A row's columns in the names and shapes that callers know; by default as they are. */
  show?(row: Row): Row;
};

/**
 * Changes a row if it is still the one the writer has seen, and counts its `revision` up. Returns the new revision. Throws
 * CONFLICT_ERROR with what is there now otherwise, NOT_FOUND where nothing is.
 */
export async function updateRevised<Schema>(tx: Transaction<Schema>, write: RevisedWrite): Promise<number> {
  const db = tx as unknown as Transaction<AnyTables>;
  const revision = write.expected + 1;
  let update = db
    .updateTable(write.table)
    .set({ ...write.changes, revision })
    .where("revision", "=", write.expected);
  for (const [column, value] of Object.entries(write.key)) update = update.where(column, "=", value);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 1n) return revision;
  throw await explainUnwritten(tx, write);
}

/** For a row that is no longer the one the writer has seen. */
export async function explainUnwritten<Schema>(tx: Transaction<Schema>, write: RevisedWrite): Promise<ForgeError> {
  const db = tx as unknown as Transaction<AnyTables>;
  let find = db.selectFrom(write.table).selectAll();
  for (const [column, value] of Object.entries(write.key)) find = find.where(column, "=", value);
  const current = await find.executeTakeFirst();
  return current ? conflict(write, current) : missingRow(write);
}

function conflict(write: RevisedWrite, current: Row): ForgeError {
  const { revision } = current;
  const show = write.show ?? ((row: Row) => row);
  const now = show(current);
  const changed = differences(show({ ...current, ...(write.base ?? write.changes) }), now);
  const author = authorOf(current);
  const names = Object.keys(changed);
  const what = names.length > 0 ? ` Different now: ${names.join(", ")}.` : "";
  return new ForgeError(
    "CONFLICT_ERROR",
    `The ${write.what} was changed in the meantime: it is at revision ${revision}, not ${write.expected}. Nothing was written.${what}`,
    {
      details: { expectedRevision: write.expected, currentRevision: revision, changed, ...author },
      next: [
        "Check the current values, decide whether your change still applies, and send it with the current revision.",
      ],
    },
  );
}

/** Columns that differ after every write and are told apart from the rest. */
const bookkeeping = ["revision", "updated_at", "updated_by"];

/** The fields the writer knew or wanted otherwise, with their values now. */
function differences(known: Row, now: Row): Row {
  const names = [...new Set([...Object.keys(known), ...Object.keys(now)])].filter(
    (name) => !bookkeeping.includes(name) && JSON.stringify(known[name]) !== JSON.stringify(now[name]),
  );
  return Object.fromEntries(names.map((name) => [name, now[name] ?? null]));
}

function authorOf(row: Row): Row {
  const { updated_by: by, updated_at: at } = row;
  return {
    ...(by !== undefined && by !== null && { changedBy: by }),
    ...(at !== undefined && at !== null && { changedAt: typeof at === "number" ? new Date(at).toISOString() : at }),
  };
}

function missingRow(write: RevisedWrite): ForgeError {
  return new ForgeError("NOT_FOUND", `The ${write.what} no longer exists, so nothing was written.`, {
    details: { key: write.key, expectedRevision: write.expected },
    next: ["It may have been removed. List what exists, and try again."],
  });
}
