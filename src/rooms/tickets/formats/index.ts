import type { TicketDocument } from "../model/ticket.ts";
import { decodeTickets } from "./decode.ts";
import { encodeTicket } from "./encode.ts";

export { decodeTickets, encodeTicket };

/** A ticket as text for an editor. */
export function editableText(document: TicketDocument): string {
  return encodeTicket(document, "markdown");
}

/** The edited text; a comment before everything else is ignored. Throws with the line that cannot be read. */
export function readEdited(text: string): { document: TicketDocument; warnings: string[] } {
  const { documents, warnings } = decodeTickets(text, { format: "markdown", source: "The edited ticket" });
  return { document: documents[0] ?? {}, warnings };
}
