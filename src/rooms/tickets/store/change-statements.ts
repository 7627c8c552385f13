import { CompiledQuery } from "kysely";
import { writeTogether } from "../../../platform/db/database.ts";
import type { Engine } from "../../../platform/db/types.ts";
import type { NewTicketRow } from "./rows.ts";
import type { EventTable } from "./schema.ts";
import type { Tx } from "./ticket-store.ts";

/** Written by hand: these are the changes that are made most, and the query builder would cost more than the database. */

export type EventRow = Pick<EventTable, "ticket" | "at" | "by" | "agent" | "kind" | "details">;
/** What a ticket is found by, in place of what it was found by. */
export type WordsRow = { seq: number; words: string };

export type RowChange = {
  seq: number;
  expected: number;
  columns: Partial<NewTicketRow>;
  /** The lease that nobody may have; absent where that was looked at before. */
  unclaimed?: string | undefined;
};

/** Makes a change where the row is still at the revision that was expected, and says whether it was. */
export async function updateTicketRow(tx: Tx, engine: Engine, change: RowChange): Promise<boolean> {
  const { seq, expected, columns, unclaimed } = change;
  const parameters: unknown[] = [];
  const given = (value: unknown) => {
    const place = parameters.push(value);
    return engine === "sqlite" ? "?" : `$${place}`;
  };
  const set: string[] = [];
  for (const [name, value] of Object.entries(columns)) if (value !== undefined) set.push(`"${name}" = ${given(value)}`);
  set.push(`revision = ${given(expected + 1)}`);
  let text = `update ticket set ${set.join(", ")} where seq = ${given(seq)} and revision = ${given(expected)}`;
  if (unclaimed !== undefined)
    text += ` and not exists (select 1 from lease where name = ${given(unclaimed)} and holder is not null)`;
  return (await ask(tx, `${text} returning seq`, parameters)).length > 0;
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

/** Nobody asks for a ticket's history before the commit. */
export function insertEvents(tx: Tx, engine: Engine, rows: readonly EventRow[]): void {
  writeTogether(tx, statements.postgres.events, rows, async (all, together) => {
    if (engine === "postgres") return ask(all, statements.postgres.events, [JSON.stringify(together)]);
    for (const { ticket, at, by, agent, kind, details } of together)
      await ask(all, statements.sqlite.event, [ticket, at, by, agent, kind, details]);
    return undefined;
  });
}

/** Nor does anybody search. Of several changes of one ticket the last one counts. */
export function replaceWords(tx: Tx, engine: Engine, row: WordsRow): void {
  writeTogether(tx, statements.postgres.words, [row], async (all, together) => {
    const latest = new Map(together.map((one) => [one.seq, one]));
    if (engine === "postgres") return ask(all, statements.postgres.words, [JSON.stringify([...latest.values()])]);
    for (const { seq, words } of latest.values()) await ask(all, statements.sqlite.words, [seq, words]);
    return undefined;
  });
}

async function ask(tx: Tx, text: string, parameters: readonly unknown[]): Promise<unknown[]> {
  return (await tx.getExecutor().executeQuery(CompiledQuery.raw(text, [...parameters]))).rows;
}
