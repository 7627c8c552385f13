import { CompiledQuery } from "kysely";
import type { Engine } from "../../platform/db/types.ts";
import type { NewTicketRow } from "./rows.ts";
import type { EventTable } from "./schema.ts";
import type { Tx } from "./store.ts";

/** What happened, in this order, to whom it is owed and when. */
export type History = Pick<EventTable, "at" | "by" | "agent"> & {
  happenings: readonly Pick<EventTable, "kind" | "details">[];
};

/** What becomes of a ticket's row, of the words it is found by, and of its history. */
export type RowChange = {
  seq: number;
  expected: number;
  columns: Partial<NewTicketRow>;
  /** Absent where they stay the same. */
  words: string | undefined;
  history: History;
};

/**
 * Makes a change where the row is still at the revision that was expected, and says whether it was. Written by hand: this is
 * the change that is made most, and the query builder would cost more than the database.
 */
export async function changeTicket(tx: Tx, engine: Engine, change: RowChange): Promise<boolean> {
  return engine === "sqlite" ? onSqlite(tx, change) : onPostgres(tx, change);
}

/** One message there and back. */
async function onPostgres(tx: Tx, { seq, expected, columns, words, history }: RowChange): Promise<boolean> {
  const parameters: unknown[] = [];
  const given = (value: unknown) => `$${parameters.push(value)}`;
  const parts = [`changed as (${updating(columns, seq, expected, given)})`];
  if (words !== undefined) {
    parts.push(`searched as (insert into ticket_search (seq, words)
      select seq, array_to_tsvector(string_to_array(${given(words)}::text, ' ')) from changed
      on conflict (seq) do update set words = excluded.words)`);
  }
  const kinds = given(history.happenings.map(({ kind }) => kind));
  const details = given(history.happenings.map((happening) => happening.details));
  parts.push(`happened as (insert into ticket_event (ticket, at, by, agent, kind, details)
    select seq, ${given(history.at)}::bigint, ${given(history.by)}::text, ${given(history.agent)}::text, kind, details
    from changed, unnest(${kinds}::text[], ${details}::text[]) with ordinality as happening (kind, details, place)
    order by place)`);
  const rows = await ask(tx, `with ${parts.join(", ")} select seq from changed`, parameters);
  return rows.length > 0;
}

async function onSqlite(tx: Tx, { seq, expected, columns, words, history }: RowChange): Promise<boolean> {
  const parameters: unknown[] = [];
  const given = (value: unknown) => {
    parameters.push(value);
    return "?";
  };
  const rows = await ask(tx, updating(columns, seq, expected, given), parameters);
  if (rows.length === 0) return false;
  if (words !== undefined) await ask(tx, "update ticket_search set words = ? where rowid = ?", [words, seq]);
  const { at, by, agent, happenings } = history;
  for (const { kind, details } of happenings) {
    const values = [seq, at, by, agent, kind, details];
    await ask(tx, "insert into ticket_event (ticket, at, by, agent, kind, details) values (?, ?, ?, ?, ?, ?)", values);
  }
  return true;
}

function updating(
  columns: Partial<NewTicketRow>,
  seq: number,
  expected: number,
  given: (value: unknown) => string,
): string {
  const set = Object.entries({ ...columns, revision: expected + 1 }).filter(([, value]) => value !== undefined);
  const named = set.map(([name, value]) => `"${name}" = ${given(value)}`);
  return `update ticket set ${named.join(", ")} where seq = ${given(seq)} and revision = ${given(expected)} returning seq`;
}

async function ask(tx: Tx, text: string, parameters: readonly unknown[]): Promise<unknown[]> {
  return (await tx.getExecutor().executeQuery(CompiledQuery.raw(text, [...parameters]))).rows;
}
