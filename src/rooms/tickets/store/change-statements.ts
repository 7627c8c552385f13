import { writeTogether } from "../../../platform/db/database.ts";
import { runSql } from "../../../platform/db/run-sql.ts";
import type { Engine } from "../../../platform/db/types.ts";
import type { NewTicketRow } from "./rows.ts";
import type { EventTable } from "./schema.ts";
import type { Tx } from "./ticket-store.ts";

/** Written by hand: these changes are the most frequent, and the query builder would cost more than the database. */

export type EventRow = Pick<EventTable, "ticket" | "at" | "by" | "agent" | "kind" | "details">;
/** The words that a ticket is found by, replacing the former ones. */
export type WordsRow = { seq: number; words: string };

export type RowChange = {
  seq: number;
  expected: number;
  columns: Partial<NewTicketRow>;
  /** The lease that nobody may hold. */
  freeLease?: string;
};

/** Updates a row if it is still at the expected revision, and its lease is free if one is named; returns whether it was. */
export async function updateTicketRow(tx: Tx, engine: Engine, change: RowChange): Promise<boolean> {
  const { seq, expected, columns, freeLease } = change;
  const parameters: unknown[] = [];
  const bind = (value: unknown) => {
    const position = parameters.push(value);
    return engine === "sqlite" ? "?" : `$${position}`;
  };
  const set: string[] = [];
  for (const [name, value] of Object.entries(columns)) if (value !== undefined) set.push(`"${name}" = ${bind(value)}`);
  set.push(`revision = ${bind(expected + 1)}`);
  let text = `update ticket set ${set.join(", ")} where seq = ${bind(seq)} and revision = ${bind(expected)}`;
  if (freeLease !== undefined)
    text += ` and not exists (select 1 from lease where name = ${bind(freeLease)} and holder is not null)`;
  return (await runSql(tx, `${text} returning seq`, parameters)).length > 0;
}

const statements = {
  postgres: {
    events: `insert into ticket_event (ticket, at, by, agent, kind, details)
      select ticket, at, by, agent, kind, details
      from rows from (json_to_recordset($1::json)
        as (ticket bigint, at bigint, by text, agent text, kind text, details text)) with ordinality
        as given (ticket, at, by, agent, kind, details, place)
      order by place`,
    words: `insert into ticket_search (seq, words)
      select seq, array_to_tsvector(string_to_array(words, ' '))
      from json_to_recordset($1::json) as given (seq bigint, words text)
      on conflict (seq) do update set words = excluded.words`,
  },
  sqlite: {
    event: "insert into ticket_event (ticket, at, by, agent, kind, details) values (?, ?, ?, ?, ?, ?)",
    words: "insert or replace into ticket_search (rowid, words) values (?, ?)",
  },
};

/** Written together at the commit: nothing reads a ticket's history before it. */
export function insertEvents(tx: Tx, engine: Engine, rows: readonly EventRow[]): void {
  writeTogether(tx, statements.postgres.events, rows, async (all, together) => {
    if (engine === "postgres") return runSql(all, statements.postgres.events, [JSON.stringify(together)]);
    for (const { ticket, at, by, agent, kind, details } of together)
      await runSql(all, statements.sqlite.event, [ticket, at, by, agent, kind, details]);
    return undefined;
  });
}

/** Likewise. Of several changes to one ticket the last one counts. */
export function replaceWords(tx: Tx, engine: Engine, row: WordsRow): void {
  writeTogether(tx, statements.postgres.words, [row], async (all, together) => {
    const latest = new Map(together.map((one) => [one.seq, one]));
    if (engine === "postgres") return runSql(all, statements.postgres.words, [JSON.stringify([...latest.values()])]);
    for (const { seq, words } of latest.values()) await runSql(all, statements.sqlite.words, [seq, words]);
    return undefined;
  });
}
