import type { TicketFormat } from "../model/limits.ts";
import type { TicketDocument } from "../model/ticket.ts";
import { readMarkdown, splitMarkdown } from "./markdown/read.ts";
import { writeMarkdown } from "./markdown/write.ts";
import type { Homes } from "./outline/homes.ts";
import type { Outline } from "./outline/outline.ts";
import { toOutline } from "./outline/to-outline.ts";
import { readXml } from "./xml/read.ts";
import { parseXml } from "./xml/tree.ts";
import { writeXml } from "./xml/write.ts";

/** The formats that show a ticket to people, and so cannot show all of it. */
export type VisibleFormat = Exclude<TicketFormat, "json">;
export type ReadOutline = { outline: Outline; homes: Homes; warnings: string[] };

export const write: Record<VisibleFormat, (outline: Outline, remainder: string | undefined) => string> = {
  xml: writeXml,
  markdown: writeMarkdown,
};

const readers: Record<VisibleFormat, (text: string, homes: Homes) => ReadOutline> = {
  xml: (text, homes) => readXml(parseXml(text, "the ticket's XML"), homes),
  markdown: (text, homes) => readMarkdown(splitMarkdown(text).lines, homes, "the ticket's Markdown"),
};

/** What can be read from the visible form of a document alone. */
export function readBack(document: TicketDocument, format: VisibleFormat, homes: Homes): ReadOutline {
  return readers[format](write[format](toOutline(document).outline, undefined), homes);
}
