import * as z from "zod";
import { maxEscapeFactor } from "../../../../kernel/text/escape-text.ts";
import { limits } from "../limits.ts";

/** Parts of a ticket that assistants and clients of a server are shown alike. */

/**
 * Must accept whatever fits into a ticket, or reading it would fail: every character may be shown as an escape, and text
 * that is rendered from fields has numbers and labels of its own.
 */
export const text = z.string().max(2 * maxEscapeFactor * limits.ticket);
export const line = z.string().max(maxEscapeFactor * limits.line);
export const date = z.string().max(40);

export const claim = z
  .object({ holder: line, until: date })
  .describe("Who is working on it, and when the claim expires");

export const imported = z.object({ author: line.optional(), createdAt: date.optional(), updatedAt: date.optional() });

export const question = z.object({
  id: line,
  question: text,
  category: line.optional(),
  blocking: z.boolean().optional(),
  answer: text.optional(),
  askedBy: line.optional(),
  askedAt: date.optional(),
  answeredBy: line.optional(),
  answeredAt: date.optional(),
  dismissed: text.optional().describe("Why it needs no answer"),
  dismissedBy: line.optional(),
  dismissedAt: date.optional(),
});

/** An item takes at least one character and a comma. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.ticket / 2);
export const texts = list(text);
