import { isRecord } from "../../../kernel/json.ts";
import type { TicketFormat } from "../model/limits.ts";
import { limits } from "../model/limits.ts";
import type { TicketDocument } from "../model/ticket.ts";
import { documentTooLarge, emptyText, formatLimits, noTicketElement, notATicket, textTooLong } from "./errors.ts";
import { parseJson, ticketsIn } from "./json/read.ts";
import { readMarkdown, splitMarkdown } from "./markdown/read.ts";
import { restoreDocument } from "./remainder/restore.ts";
import { readXml } from "./xml/read.ts";
import { type Element, parseXml } from "./xml/tree.ts";
import { remainderElement } from "./xml/write.ts";

export type Decoded = { documents: TicketDocument[]; format: TicketFormat; warnings: string[] };
const maxWarnings = 50;

type Found = { name: string; value: unknown; warnings: string[] };

/** The tickets in a text; throws with the position of what cannot be read. */
export function decodeTickets(text: string, options: { format: TicketFormat | undefined; source: string }): Decoded {
  const { source } = options;
  if (text.length > formatLimits.text) throw textTooLong(text.length, source);
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (content.trim() === "") throw emptyText(source);
  const format = options.format ?? formatOfName(source) ?? formatOfContent(content);
  const found = readers[format](content, source);
  return {
    documents: found.map(({ name, value }) => requireTicket(value, name)),
    format,
    warnings: limitWarnings(found.flatMap(({ warnings }) => warnings)),
  };
}

const readers: Record<TicketFormat, (text: string, source: string) => Found[]> = {
  json: (text, source) => ticketsIn(parseJson(text, source), source).map((found) => ({ ...found, warnings: [] })),
  xml: (text, source) => ticketElements(parseXml(text, source), source).map((ticket) => fromXml(ticket, source)),
  markdown: (text, source) => {
    const { lines, remainder } = splitMarkdown(text);
    return [{ name: source, ...restoreDocument("markdown", remainder, (homes) => readMarkdown(lines, homes, source)) }];
  },
};

function ticketElements(root: Element, source: string): Element[] {
  const tickets = root.name === "tickets" ? root.children : [root];
  const stranger = tickets.length === 0 ? root : tickets.find(({ name }) => name !== "ticket");
  if (!stranger) return tickets;
  throw noTicketElement(stranger, source);
}

function fromXml(ticket: Element, source: string): Found {
  const hidden = ticket.children.findLast(({ name }) => name === remainderElement);
  return {
    name: `${source}, line ${ticket.line}`,
    ...restoreDocument("xml", hidden?.text, (homes) => readXml(ticket, homes)),
  };
}

function limitWarnings(warnings: string[]): string[] {
  const more = warnings.length - maxWarnings;
  return more > 0 ? [...warnings.slice(0, maxWarnings), `And ${more} more warnings.`] : warnings;
}

function requireTicket(value: unknown, name: string): TicketDocument {
  if (!isRecord(value)) throw notATicket(name, "this is not an object");
  if (typeof value["title"] !== "string" || value["title"].trim() === "")
    throw notATicket(name, "the ticket has no title");
  if (isDeeper(value, formatLimits.depth))
    throw notATicket(name, `it is nested deeper than ${formatLimits.depth} levels`);
  const size = JSON.stringify(value).length;
  if (size > limits.ticket) throw documentTooLarge(size, name);
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function formatOfName(source: string): TicketFormat | undefined {
  const name = source.toLowerCase();
  if (name.endsWith(".json")) return "json";
  if (name.endsWith(".xml")) return "xml";
  return name.endsWith(".md") || name.endsWith(".markdown") ? "markdown" : undefined;
}

function formatOfContent(text: string): TicketFormat {
  const start = text.trimStart();
  if (start.startsWith("{") || start.startsWith("[")) return "json";
  if (!start.startsWith("<")) return "markdown";
  return start.startsWith("<!--") && /^# /m.test(start) ? "markdown" : "xml";
}
