import * as z from "zod";
import { findJsonFault } from "../../../../commons/json/ordered-json.ts";
import { formatLimits } from "../errors.ts";
import { homes } from "../outline/homes.ts";

const detail = z.object({
  at: z
    .array(z.union([z.string(), z.number().int().min(0)]))
    .min(1)
    .max(formatLimits.depth),
  /** A hash of what the visible form had there when this was written; null if it had nothing. */
  seen: z.string().nullable(),
  /** What the document has there; absent if it has nothing. */
  value: z.unknown().optional(),
});

const remainder = z.object({ homes, details: z.array(detail) });

export type Detail = z.output<typeof detail>;

/**
 * What the visible form of a document cannot show: where its parts belong, and every detail that reads differently. Written
 * at the end of the file, so that a ticket is imported exactly as it was exported.
 */
export type Remainder = z.output<typeof remainder>;

const notPrintable = /[^\x20-\x7e]/g;

/** JSON that ends neither a comment nor a CDATA section, and contains only what XML allows. */
export function remainderText(value: Remainder): string {
  return JSON.stringify(value)
    .replace(notPrintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll("--", "-\\u002d")
    .replaceAll(">", "\\u003e");
}

/** Undefined if it is damaged, or was not written by Forge. */
export function parseRemainder(text: string): Remainder | undefined {
  if (findJsonFault(text, { ...formatLimits, envelope: 4 })) return undefined;
  const parsed = remainder.safeParse(JSON.parse(text));
  return parsed.success && !hasDuplicates(parsed.data.details) ? parsed.data : undefined;
}

/** A place that is named a thousand times would be read a thousand times. */
function hasDuplicates(details: Detail[]): boolean {
  return new Set(details.map(({ at }) => JSON.stringify(at))).size < details.length;
}
