import { isRecord } from "../../../kernel/json.ts";
import type { TicketDocument } from "./ticket.ts";

/**
 * A server adds fields of its own to a ticket that it sends. A document can have fields of the same names; those travel in
 * `covered`, so that they are neither lost nor taken for the server's.
 */
const serverFields = [
  "revision",
  "foreign",
  "authorship",
  "claim",
  "updatedBy",
  "records",
  "unproven",
  "blockedBy",
  "covered",
];
const computed = "acceptanceCriteriaIds";

/** The document's own fields that the server's hide; null stands for a field that the document lacks. */
export function shadowedFields(document: TicketDocument, criterionIds: readonly string[]): TicketDocument | undefined {
  const covered: TicketDocument = {};
  for (const name of serverFields) if (Object.hasOwn(document, name)) covered[name] = document[name];
  const { [computed]: ids } = document;
  if (criterionIds.length > 0 && !isSame(ids, criterionIds)) covered[computed] = ids ?? null;
  return Object.keys(covered).length === 0 ? undefined : covered;
}

/** The document itself, from what a server sent. */
export function restoreShadowed(sent: TicketDocument): TicketDocument {
  const document = { ...sent };
  for (const name of serverFields) delete document[name];
  const { covered } = sent;
  if (!isRecord(covered)) return document;
  for (const name of [...serverFields, computed]) {
    if (covered[name] === null) delete document[name];
    else if (Object.hasOwn(covered, name)) document[name] = covered[name];
  }
  return document;
}

/** The document as a server accepts it back. */
export function withShadowed(document: TicketDocument): TicketDocument {
  const covered = shadowedFields(document, []);
  return covered ? { ...document, covered } : document;
}

function isSame(ids: unknown, others: readonly string[]): boolean {
  return Array.isArray(ids) && ids.length === others.length && ids.every((id, index) => id === others[index]);
}
