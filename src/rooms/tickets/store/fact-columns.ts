import type { Ticket, TicketDocument } from "../model/ticket.ts";
import type { NewTicketRow } from "./rows.ts";

/** Facts that have a column, by the names that documents use. */
const factNames = [
  "id",
  "slug",
  "title",
  "status",
  "previousStatus",
  "type",
  "priority",
  "assignedTo",
  "assignee",
  "createdAt",
  "updatedAt",
  "createdBy",
] as const;

export type ImportedFacts = {
  id?: string;
  slug?: string;
  title?: string;
  status?: string;
  previousStatus?: string;
  type?: string;
  priority?: string;
  assignee?: string;
  createdAt?: string;
  updatedAt?: string;
  createdBy?: string;
};

/** The document without the facts in columns. What no column can hold (another program's type, say) stays in it. */
export function withoutFacts(document: TicketDocument, facts: ImportedFacts): TicketDocument {
  const rest = { ...document };
  for (const name of factNames) {
    const value = rest[name];
    const known = name === "assignedTo" ? facts.assignee : facts[name];
    if (value === null || value === undefined || (typeof value === "string" && known !== undefined)) delete rest[name];
  }
  return rest;
}

/** The complete ticket as one document: what a file or another server gets. */
export function fullDocument(ticket: Ticket): TicketDocument {
  const { id, slug, title, status, previousStatus, type, priority, assignee, createdAt, updatedAt, createdBy } = ticket;
  return {
    ...ticket.document,
    id,
    ...(slug !== undefined && { slug }),
    title,
    status,
    ...(previousStatus && { previousStatus }),
    ...(type && { type }),
    ...(priority && { priority }),
    ...(assignee !== undefined && { assignedTo: assignee }),
    createdAt,
    updatedAt,
    ...(createdBy !== undefined && { createdBy }),
  };
}

export function factColumns(facts: ImportedFacts): Partial<NewTicketRow> {
  return {
    slug: facts.slug ?? null,
    type: facts.type ?? null,
    priority: facts.priority ?? null,
    assignee: facts.assignee ?? null,
    previous_status: facts.previousStatus ?? null,
  };
}
