import { isDeepStrictEqual } from "node:util";
import { excerpt } from "../../../../kernel/text/excerpt.ts";
import type { TicketDocument } from "../../model/ticket.ts";
import type { Homes } from "../outline/homes.ts";
import type { Outline } from "../outline/outline.ts";
import { toDocument } from "../outline/to-document.ts";
import { toOutline } from "../outline/to-outline.ts";

import { type ReadOutline, readBack, type VisibleFormat, write } from "../visible-form.ts";
import { restoreDetails } from "./details.ts";
import { type Detail, parseRemainder } from "./remainder.ts";

export type Restored = { value: TicketDocument; warnings: string[] };

/** What was read, with the hidden details put back if nobody has edited the visible text. */
export function restoreDocument(
  format: VisibleFormat,
  hidden: string | undefined,
  read: (homes: Homes) => ReadOutline,
): Restored {
  const remainder = hidden === undefined ? undefined : parseRemainder(hidden);
  const reading = read(remainder?.homes ?? {});
  if (remainder) return withDetails(format, reading, remainder.details);
  const damaged = "The hidden part at the end is damaged; only the visible text was read.";
  return {
    value: toDocument(reading.outline, reading.homes),
    warnings: hidden === undefined ? reading.warnings : [...reading.warnings, damaged],
  };
}

/** People judge a ticket by what they see, so the hidden part can add details but never contradict the visible text. */
function withDetails(format: VisibleFormat, reading: ReadOutline, details: Detail[]): Restored {
  const { outline, homes, warnings } = reading;
  const visible = toDocument(outline, homes);
  const value = structuredClone(visible);
  const lost = restoreDetails(value, details);
  if (looksLike(value, outline, visible, format, homes))
    return { value, warnings: [...warnings, ...lost.map(lossWarning)] };
  restoreDetails(
    visible,
    details.filter(({ at }) => !isShown(at)),
  );
  const contradiction = "The hidden part at the end contradicts the visible text; the visible text was used.";
  return { value: visible, warnings: [...warnings, contradiction] };
}

/** Whether it reads the same, or, if a person writes differently from Forge, would be written the same. */
function looksLike(
  document: TicketDocument,
  outline: Outline,
  visible: TicketDocument,
  format: VisibleFormat,
  homes: Homes,
): boolean {
  const text = (of: TicketDocument) => write[format](toOutline(of).outline, undefined);
  return isDeepStrictEqual(readBack(document, format, homes).outline, outline) || text(document) === text(visible);
}

const shownNames = new Set<string | number | undefined>(
  `id slug title type priority status qualityScore createdAt updatedAt assignee assignedTo repositoryContext stack
  description problemStatement solution acceptanceCriteria fileChanges layeredFileChanges apiChanges dependencies testPlan
  inScope outOfScope assumptions designRefs visualExpectations designTokens generationPreferences`.split(/\s+/),
);

function isShown([first, second]: Detail["at"]): boolean {
  return first === "techSpec" ? second === undefined || shownNames.has(second) : shownNames.has(first);
}

function lossWarning(place: string): string {
  return `${excerpt(place)} was edited, so its hidden details were dropped.`;
}
