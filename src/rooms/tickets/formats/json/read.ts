import { isRecord } from "../../../../kernel/json.ts";
import { excerpt, spotOf } from "../../../../kernel/quoting.ts";
import { formatLimits, unreadable } from "../errors.ts";
import { jsonFault } from "./fault.ts";

/** A list of tickets in an object is two levels more than a ticket has. */
const envelope = 2;

/** Throws with the place. What it returns nests no deeper than a ticket in a list in an object may. */
export function parseJson(text: string, source: string): unknown {
  const fault = jsonFault(text, formatLimits.depth + envelope);
  if (!fault) return JSON.parse(text);
  const here = text.slice(fault.offset, fault.offset + 20);
  throw unreadable({
    source,
    at: spotOf(text, fault.offset),
    what: here.trim() ? `${fault.what}: ${excerpt(here)}` : fault.what,
    expected: fault.expected,
    next: "Correct the JSON at that place and import it again.",
  });
}

/** One ticket, a list of them, or a list under `tickets`; each with the name that a message can give it. */
export function ticketsIn(value: unknown, source: string): { name: string; value: unknown }[] {
  if (Array.isArray(value)) return nameEntries(value, source);
  if (isRecord(value) && Array.isArray(value["tickets"]) && value["title"] === undefined)
    return nameEntries(value["tickets"], source);
  return [{ name: source, value }];
}

function nameEntries(values: unknown[], source: string): { name: string; value: unknown }[] {
  if (values.length > 0) return values.map((value, index) => ({ name: `${source}, ticket ${index + 1}`, value }));
  throw unreadable({
    source,
    what: "the list of tickets is empty",
    expected: "at least one ticket",
    next: 'Give an object with a title, e.g. {"title": "Add logout"}, or a list of such.',
  });
}
