import type { Insertable, Selectable } from "kysely";
import { priorities, ticketTypes } from "./bounds.ts";
import type { HistoryEntry, Ticket, TicketContent, TicketDocument, TicketFacts, TicketSummary } from "./model.ts";
import { readContent } from "./reading/read-ticket.ts";
import type { EventTable, TicketTable } from "./schema.ts";
import { statusNamed } from "./status.ts";

export type TicketRow = Selectable<TicketTable>;
export type NewTicketRow = Insertable<TicketTable>;

/** What a list needs; documents stay where they are. */
export const summaryColumns = [
  "seq",
  "id",
  "slug",
  "title",
  "status",
  "type",
  "priority",
  "assignee",
  "created_at",
  "updated_at",
  "revision",
  "is_foreign",
] as const;

export type SummaryRow = Pick<TicketRow, (typeof summaryColumns)[number]>;

export function ticketFrom(row: TicketRow): Ticket {
  const document = documentOf(row);
  return { ...factsFrom(row), ...readContent(document), document };
}

const longestKept = 65_536;
const mostKept = 256;

/**
 * Makes tickets of rows, and makes sense of a document only once while it stays the same: assistants read the ticket they
 * work on again and again. What it gives is shared by all who read it, and not for change.
 */
export class TicketReader {
  readonly #known = new Map<number, { revision: number; said: Pick<Ticket, keyof TicketContent | "document"> }>();

  read(row: TicketRow): Ticket {
    const known = this.#known.get(row.seq);
    if (known?.revision === row.revision) return { ...factsFrom(row), ...known.said };
    const document = documentOf(row);
    const said = { ...readContent(document), document };
    this.#known.delete(row.seq);
    if (row.document.length <= longestKept) this.#known.set(row.seq, { revision: row.revision, said });
    const [oldest] = this.#known.size > mostKept ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    return { ...factsFrom(row), ...said };
  }
}

export function documentOf({ document }: Pick<TicketRow, "document">): TicketDocument {
  return JSON.parse(document) as TicketDocument;
}

function factsFrom(row: TicketRow): TicketFacts {
  const before = row.previous_status === null ? undefined : statusNamed(row.previous_status);
  return {
    ...summaryFrom(row),
    ...(before && { previousStatus: before }),
    ...(row.created_by !== null && { createdBy: row.created_by }),
    ...(row.updated_by !== null && { updatedBy: row.updated_by }),
  };
}

export function summaryFrom(row: SummaryRow): TicketSummary {
  const type = ticketTypes.find((known) => known === row.type);
  const priority = priorities.find((known) => known === row.priority);
  return {
    id: row.id,
    ...(row.slug !== null && { slug: row.slug }),
    title: row.title,
    status: statusNamed(row.status) ?? "DRAFT",
    ...(type && { type }),
    ...(priority && { priority }),
    ...(row.assignee !== null && { assignee: row.assignee }),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    revision: row.revision,
    foreign: row.is_foreign !== 0,
  };
}

const eventKinds: readonly HistoryEntry["kind"][] = [
  "created",
  "imported",
  "status",
  "updated",
  "assigned",
  "started",
  "claimed",
  "released",
  "questions",
  "answers",
  "completed",
];

export function eventFrom(row: Selectable<EventTable>): HistoryEntry {
  return {
    at: new Date(row.at).toISOString(),
    by: row.by,
    ...(row.agent !== null && { agent: row.agent }),
    kind: eventKinds.find((kind) => kind === row.kind) ?? "updated",
    details: JSON.parse(row.details) as Record<string, unknown>,
  };
}
