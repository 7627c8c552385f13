import { isRecord } from "../reading/loose.ts";
import type { TicketDocument } from "./ticket.ts";

/** By these names a server says what it knows of a ticket; a document may have fields of the same name for itself. */
const serversOwn = ["revision", "foreign", "authorship", "claim", "updatedBy", "covered"];
const worked = "acceptanceCriteriaIds";

/** What a ticket's own document says by such names; null where it does not speak of what the server worked out for it. */
export function shadowedFields(document: TicketDocument, criterionIds: readonly string[]): TicketDocument | undefined {
  const covered: TicketDocument = {};
  for (const name of serversOwn) if (Object.hasOwn(document, name)) covered[name] = document[name];
  const { [worked]: ids } = document;
  if (criterionIds.length > 0 && !isSame(ids, criterionIds)) covered[worked] = ids ?? null;
  return Object.keys(covered).length === 0 ? undefined : covered;
}

/** The document as it is, out of what a server shows of the ticket. */
export function restoreShadowed(shown: TicketDocument): TicketDocument {
  const document = { ...shown };
  for (const name of serversOwn) delete document[name];
  const { covered } = shown;
  if (!isRecord(covered)) return document;
  for (const name of [...serversOwn, worked]) {
    if (covered[name] === null) delete document[name];
    else if (Object.hasOwn(covered, name)) document[name] = covered[name];
  }
  return document;
}

/** The same as a server takes it back. */
export function withShadowed(document: TicketDocument): TicketDocument {
  const covered = shadowedFields(document, []);
  return covered ? { ...document, covered } : document;
}

function isSame(ids: unknown, others: readonly string[]): boolean {
  return Array.isArray(ids) && ids.length === others.length && ids.every((id, index) => id === others[index]);
}
