import type { TicketDocument } from "../model/ticket.ts";
import { decodeTickets } from "./decode.ts";
import { encodeTicket } from "./encode.ts";

export { decodeTickets, encodeTicket };

/** A whole ticket for an editor. */
export function editableText(document: TicketDocument): string {
  return encodeTicket(document, "markdown");
}

/** What was made of it there; a comment above everything is ignored. Throws with the line that cannot be read. */
export function readEdited(text: string): { document: TicketDocument; warnings: string[] } {
  const { documents, warnings } = decodeTickets(text, { format: "markdown", source: "The edited ticket" });
  return { document: documents[0] ?? {}, warnings };
}
