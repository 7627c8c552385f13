import { findJsonFault } from "../../../../commons/json/ordered-json.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { excerpt, spotOf } from "../../../../kernel/text/excerpt.ts";
import { emptyList, formatLimits, unreadable } from "../errors.ts";

/** A list of tickets within an object is two levels deeper than a ticket. */
const envelope = 2;

/** Throws with the position. The result is nested no deeper than a ticket in a list in an object can be. */
export function parseJson(text: string, source: string): unknown {
  const fault = findJsonFault(text, { ...formatLimits, envelope });
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

/** One ticket, a list of them, or a list under `tickets`; each with a name for messages. */
export function ticketsIn(value: unknown, source: string): { name: string; value: unknown }[] {
  if (Array.isArray(value)) return nameEntries(value, source);
  if (isRecord(value) && Array.isArray(value["tickets"]) && value["title"] === undefined)
    return nameEntries(value["tickets"], source);
  return [{ name: source, value }];
}

function nameEntries(values: unknown[], source: string): { name: string; value: unknown }[] {
  if (values.length > 0) return values.map((value, index) => ({ name: `${source}, ticket ${index + 1}`, value }));
  throw emptyList(source);
}
