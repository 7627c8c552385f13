import { isRecord } from "../../../kernel/json.ts";
import { excerpt } from "../../../kernel/quoting.ts";
import type { TicketFormat } from "../model/limits.ts";
import { limits } from "../model/limits.ts";
import type { TicketDocument } from "../model/ticket.ts";
import { formatLimits, unreadable } from "./errors.ts";
import { parseJson, ticketsIn } from "./json/read.ts";
import { readMarkdown, splitMarkdown } from "./markdown/read.ts";
import { restoreDocument } from "./remainder/restore.ts";
import { readXml } from "./xml/read.ts";
import { type Element, parseXml } from "./xml/tree.ts";
import { remainderElement } from "./xml/write.ts";

export type Decoded = { documents: TicketDocument[]; format: TicketFormat; warnings: string[] };
const maxWarnings = 50;

type Found = { name: string; value: unknown; warnings: string[] };

/** The tickets in a text; throws with the place for one that holds none, or something that is not to be read. */
export function decodeTickets(text: string, options: { format: TicketFormat | undefined; source: string }): Decoded {
  const { source } = options;
  if (text.length > formatLimits.text) throw tooLong(text.length, source);
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (content.trim() === "") throw empty(source);
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
  throw unreadable({
    source,
    at: { line: stranger.line },
    what: `<${excerpt(stranger.name)}> holds no ticket`,
    expected: "a <ticket> element, or <tickets> around several",
    next: "Export the ticket as XML again, or write it as JSON or Markdown.",
    details: { element: excerpt(stranger.name) },
  });
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
  return more > 0 ? [...warnings.slice(0, maxWarnings), `There are ${more} more warnings like these.`] : warnings;
}

function requireTicket(value: unknown, name: string): TicketDocument {
  if (!isRecord(value)) throw noTicket(name, "this is not an object");
  if (typeof value["title"] !== "string" || value["title"].trim() === "")
    throw noTicket(name, "the ticket has no title");
  if (isDeeper(value, formatLimits.depth)) throw noTicket(name, `it nests deeper than ${formatLimits.depth} levels`);
  const size = JSON.stringify(value).length;
  if (size > limits.ticket) throw tooLarge(size, name);
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

function empty(source: string) {
  return unreadable({
    source,
    what: "there is no text",
    expected: "a ticket as JSON, XML or Markdown",
    next: "Give a file that holds a ticket; the shortest is a line like `# Add logout`.",
  });
}

function noTicket(source: string, what: string) {
  return unreadable({
    source,
    what,
    expected: `a ticket: at least a title, at most ${formatLimits.depth} levels`,
    next: 'Give it a title, e.g. {"title": "Add logout"} in JSON or `# Add logout` in Markdown.',
  });
}

function tooLong(size: number, source: string) {
  return unreadable({
    source,
    what: `the text has ${size} characters`,
    expected: `at most ${formatLimits.text}`,
    next: "Import the tickets in several files.",
    details: { size, limit: formatLimits.text },
  });
}

function tooLarge(size: number, source: string) {
  return unreadable({
    source,
    what: `the ticket has ${size} characters as JSON`,
    expected: `at most ${limits.ticket}`,
    next: "Split it into several tickets, or move long texts into files and name those.",
    details: { size, limit: limits.ticket },
  });
}
