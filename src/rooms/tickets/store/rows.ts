import type { Insertable, Selectable } from "kysely";
import { priorities, ticketTypes } from "../model/limits.ts";
import type {
  HistoryEntry,
  Ticket,
  TicketContent,
  TicketDocument,
  TicketFacts,
  TicketSummary,
} from "../model/ticket.ts";
import { parseStatus } from "../model/status.ts";
import { readContent } from "../reading/read-content.ts";
import type { EventTable, TicketTable } from "./schema.ts";

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
  "sole_author",
] as const;

export type SummaryRow = Pick<TicketRow, (typeof summaryColumns)[number]>;

/** `document` where what the row says was read before. */
export function toTicket(row: TicketRow, document = parseDocument(row)): Ticket {
  return { ...factsFrom(row), ...contentOf(document), document };
}

/** What documents say: many changes are of a ticket's facts, and leave its document as it is. */
const contents = new WeakMap<TicketDocument, TicketContent>();

function contentOf(document: TicketDocument): TicketContent {
  const known = contents.get(document);
  if (known) return known;
  const content = readContent(document);
  // What came with a file may be any JSON.
  if (typeof document === "object" && document !== null) contents.set(document, content);
  return content;
}

/** A ticket with the row it was made of. */
export type KnownTicket = { row: TicketRow; ticket: Ticket };

/** Characters of documents. */
const mostKept = 4 * 1_048_576;

/**
 * Makes tickets of rows, and keeps them while they stay the same: assistants read the ticket they work on again and again.
 * What it gives is shared by all who read it, and frozen.
 */
export class TicketCache {
  readonly #known = new Map<number, KnownTicket>();
  #kept = 0;

  /** The ticket, where it was read at this revision before. */
  known({ seq, revision }: Pick<TicketRow, "seq" | "revision">): Ticket | undefined {
    const known = this.#known.get(seq);
    return known?.ticket.revision === revision ? known.ticket : undefined;
  }

  /** The ticket as it was last seen: others may have changed it since. */
  lastSeen(seq: number): KnownTicket | undefined {
    return this.#known.get(seq);
  }

  read(row: TicketRow): Ticket {
    const ticket = Object.freeze(toTicket(row));
    this.keep(row, ticket);
    return ticket;
  }

  /** A ticket that is in the store, as it is there. */
  keep(row: TicketRow, ticket: Ticket): void {
    this.#forget(row.seq);
    this.#known.set(row.seq, { row, ticket });
    this.#kept += row.document.length;
    for (const seq of this.#known.keys()) {
      if (this.#kept <= mostKept) break;
      this.#forget(seq);
    }
  }

  #forget(seq: number): void {
    this.#kept -= this.#known.get(seq)?.row.document.length ?? 0;
    this.#known.delete(seq);
  }
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
  "completed",
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
