import * as z from "zod";
import { formatLimits } from "../errors.ts";
import { jsonFault } from "../json/fault.ts";
import { homes } from "../outline/homes.ts";

const detail = z.object({
  at: z
    .array(z.union([z.string(), z.number().int().min(0)]))
    .min(1)
    .max(formatLimits.depth),
  /** What the visible form said there when this was written; null where it said nothing. */
  seen: z.string().nullable(),
  /** What the document has there; left out where it has nothing. */
  value: z.unknown().optional(),
});

const remainder = z.object({ homes, details: z.array(detail) });

export type Detail = z.output<typeof detail>;

/**
 * What a visible form cannot say of a document: where its parts belong, and every detail that reads differently. Written
 * at the end of the file, so that a ticket comes back exactly as it was.
 */
export type Remainder = z.output<typeof remainder>;

const notPrintable = /[^\x20-\x7e]/g;

/** As JSON that ends neither a comment nor a CDATA section, and holds nothing that XML cannot. */
export function remainderText(value: Remainder): string {
  return JSON.stringify(value)
    .replace(notPrintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll("--", "-\\u002d")
    .replaceAll(">", "\\u003e");
}

/** Undefined for what is none of ours, or was damaged. */
export function parseRemainder(text: string): Remainder | undefined {
  if (jsonFault(text, formatLimits.depth + 4)) return undefined;
  const parsed = remainder.safeParse(JSON.parse(text));
  return parsed.success && !hasDoubles(parsed.data.details) ? parsed.data : undefined;
}

/** A place named a thousand times would be read a thousand times. */
function hasDoubles(details: Detail[]): boolean {
  return new Set(details.map(({ at }) => JSON.stringify(at))).size < details.length;
}
