import type { Insertable, Selectable } from "kysely";
import { priorities, ticketTypes } from "../model/limits.ts";
import { parseStatus } from "../model/status.ts";
import type {
  HistoryEntry,
  Ticket,
  TicketContent,
  TicketDocument,
  TicketFacts,
  TicketSummary,
} from "../model/ticket.ts";
import { readContent } from "../reading/read-content.ts";
import type { EventTable, TicketTable } from "./schema.ts";

export type TicketRow = Selectable<TicketTable>;
export type NewTicketRow = Insertable<TicketTable>;

/** What a list needs; documents are not read for it. */
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
  "sole_author",
] as const;

export type SummaryRow = Pick<TicketRow, (typeof summaryColumns)[number]>;

/** `document` is given if the row's was parsed before. */
export function toTicket(row: TicketRow, document = parseDocument(row)): Ticket {
  return { ...factsFrom(row), ...contentOf(document), document };
}

/** Contents by document: many changes are to a ticket's facts only and keep its document. */
const contents = new WeakMap<TicketDocument, TicketContent>();

function contentOf(document: TicketDocument): TicketContent {
  const known = contents.get(document);
  if (known) return known;
  const content = readContent(document);
  // A document from a file can be any JSON value.
  if (typeof document === "object" && document !== null) contents.set(document, content);
  return content;
}

export function parseDocument({ document }: Pick<TicketRow, "document">): TicketDocument {
  return JSON.parse(document) as TicketDocument;
}

function factsFrom(row: TicketRow): TicketFacts {
  const before = row.previous_status === null ? undefined : parseStatus(row.previous_status);
  return {
    ...toSummary(row),
    ...(before && { previousStatus: before }),
    ...(row.created_by !== null && { createdBy: row.created_by }),
    ...(row.updated_by !== null && { updatedBy: row.updated_by }),
  };
}

export function toSummary(row: SummaryRow): TicketSummary {
  const type = ticketTypes.find((known) => known === row.type);
  const priority = priorities.find((known) => known === row.priority);
  return {
    id: row.id,
    ...(row.slug !== null && { slug: row.slug }),
    title: row.title,
    status: parseStatus(row.status) ?? "DRAFT",
    ...(type && { type }),
    ...(priority && { priority }),
    ...(row.assignee !== null && { assignee: row.assignee }),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    revision: row.revision,
    foreign: row.is_foreign !== 0,
    ...(row.sole_author !== null && { soleAuthor: row.sole_author }),
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
  "dismissed",
  "completed",
  "corrected",
];

export function toHistoryEntry(row: Selectable<EventTable>): HistoryEntry {
  return {
    at: new Date(row.at).toISOString(),
    by: row.by,
    ...(row.agent !== null && { agent: row.agent }),
    kind: eventKinds.find((kind) => kind === row.kind) ?? "updated",
    details: JSON.parse(row.details) as Record<string, unknown>,
  };
}
