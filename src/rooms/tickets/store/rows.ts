import type { Insertable, Selectable } from "kysely";
import { isRecord } from "../../../kernel/json.ts";
import { priorities, ticketTypes } from "../model/limits.ts";
import type { TicketRecords } from "../model/records/schema.ts";
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
  "labels",
  "depends_on",
  "unproven",
] as const;

export type SummaryRow = Pick<TicketRow, (typeof summaryColumns)[number]>;

/** `document` is given if the row's was parsed before. */
export function toTicket(row: TicketRow, document = parseDocument(row)): Ticket {
  const records = parseRecords(row.records);
  return { ...factsFrom(row), ...contentOf(document), document, ...(records && { records }) };
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

/** Only Forge writes this column; what another program put there instead counts as none. */
function parseRecords(json: unknown): TicketRecords | undefined {
  if (typeof json !== "string") return undefined;
  try {
    const records: unknown = JSON.parse(json);
    return isRecord(records) ? records : undefined;
  } catch {
    return undefined;
  }
}

/** A ticket in a list; its labels and dependencies are part of the document otherwise. */
export function toListed(row: SummaryRow): TicketSummary {
  const [labels, dependsOn] = [textsIn(row.labels), textsIn(row.depends_on)];
  return {
    ...toSummary(row),
    ...(labels.length > 0 && { labels }),
    ...(dependsOn.length > 0 && { dependsOn }),
  };
}

export function textsIn(json: unknown): string[] {
  if (typeof json !== "string") return [];
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  } catch {
    return [];
  }
}

function factsFrom(row: TicketRow): TicketFacts {
  const before = row.previous_status === null ? undefined : parseStatus(textIn(row.previous_status));
  return {
    ...toSummary(row),
    ...(before && { previousStatus: before }),
    ...(row.created_by !== null && { createdBy: textIn(row.created_by) }),
    ...(row.updated_by !== null && { updatedBy: textIn(row.updated_by) }),
  };
}

export function toSummary(row: SummaryRow): TicketSummary {
  const type = ticketTypes.find((known) => known === row.type);
  const priority = priorities.find((known) => known === row.priority);
  return {
    id: row.id,
    ...(row.slug !== null && { slug: textIn(row.slug) }),
    title: textIn(row.title),
    status: parseStatus(textIn(row.status)) ?? "DRAFT",
    ...(type && { type }),
    ...(priority && { priority }),
    ...(row.assignee !== null && { assignee: textIn(row.assignee) }),
    createdAt: dateIn(row.created_at),
    updatedAt: dateIn(row.updated_at),
    revision: Number.isSafeInteger(row.revision) ? row.revision : 1,
    foreign: row.is_foreign !== 0,
    ...(row.sole_author !== null && { soleAuthor: row.sole_author }),
    ...(row.unproven === 1 && { unproven: true as const }),
  };
}

/**
 * SQLite keeps whatever another program wrote, of any type. One such value must not hide the other tickets, so it is shown
 * as well as it can be.
 */
function textIn(value: unknown): string {
  return typeof value === "string"
    ? value
    : value instanceof Uint8Array
      ? Buffer.from(value).toString()
      : String(value);
}

function dateIn(value: unknown): string {
  const date = new Date(typeof value === "number" || typeof value === "string" ? value : 0);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
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
  "comment",
  "work",
  "check",
  "look",
  "verified",
  "waived",
];

export function toHistoryEntry(row: Selectable<EventTable>): HistoryEntry {
  return {
    at: dateIn(row.at),
    by: textIn(row.by),
    ...(row.agent !== null && { agent: textIn(row.agent) }),
    kind: eventKinds.find((kind) => kind === row.kind) ?? "updated",
    details: detailsIn(row.details),
  };
}

function detailsIn(json: unknown): Record<string, unknown> {
  try {
    const details: unknown = JSON.parse(textIn(json));
    return isRecord(details) ? details : {};
  } catch {
    return {};
  }
}
