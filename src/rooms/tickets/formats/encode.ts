import type { TicketFormat } from "../model/limits.ts";
import type { TicketDocument } from "../model/ticket.ts";
import type { Homes } from "./outline/homes.ts";
import { toDocument } from "./outline/to-document.ts";
import { toOutline } from "./outline/to-outline.ts";
import { findDetails } from "./remainder/details.ts";
import { remainderText } from "./remainder/remainder.ts";
import { readBack, write } from "./visible-form.ts";

/** A ticket as a file that reads back as exactly this document, whatever it contains. */
export function encodeTicket(document: TicketDocument, format: TicketFormat): string {
  if (format === "json") return `${JSON.stringify(document, null, 2)}\n`;
  const plain: TicketDocument = JSON.parse(JSON.stringify(document));
  const { outline, homes } = toOutline(plain);
  const detailsWith = (known: Homes) => {
    const read = readBack(plain, format, known);
    return findDetails(toDocument(read.outline, read.homes), plain);
  };
  if (detailsWith({}).length === 0) return write[format](outline, undefined);
  return write[format](outline, remainderText({ homes, details: detailsWith(homes) }));
}
