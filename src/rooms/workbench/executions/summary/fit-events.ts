import type * as z from "zod";
import type { eventSchema } from "../schemas.ts";
import { byteLength } from "./byte-length.ts";
import { foldFrames } from "./fold-frames.ts";
import { shortenMiddle } from "./shorten-middle.ts";

type Event = z.output<typeof eventSchema>;
type Fact = Event["details"][string];

/** Of a result as JSON, together with the execution. */
const maxBytes = 7_000;
const maxMessageLength = 200;
const maxFactLength = 300;
const maxListed = 10;

/** One event without what a reader need not see: frames of dependencies, the middle of long texts, the rest of long lists. */
export function shortenEvent(event: Event): Event {
  const facts = Object.entries(event.details).map(([name, fact]) => [name, shortenFact(fact)]);
  return {
    ...event,
    message: shortenMiddle(event.message, maxMessageLength),
    details: Object.fromEntries(facts),
  };
}

/** The first events, as many as fit and at least one: the caller asks for those after them. */
export function fitEvents(events: readonly Event[]): Event[] {
  const fitting: Event[] = [];
  let left = maxBytes;
  for (const event of events.map(shortenEvent)) {
    left -= byteLength(event) + 1;
    if (left < 0 && fitting.length > 0) break;
    fitting.push(event);
  }
  return fitting;
}

function shortenFact(fact: Fact): Fact {
  if (typeof fact === "string") return shortenMiddle(foldFrames(fact), maxFactLength);
  if (!Array.isArray(fact) || fact.length <= maxListed) return fact;
  return [...fact.slice(0, maxListed), `… ${fact.length - maxListed} more`];
}
