import * as z from "zod";
import { maxEscapeFactor } from "../reading/escape-text.ts";
import { limits } from "./limits.ts";

/** Parts of a ticket that assistants and clients of a server are shown alike. */

/**
 * Whatever fits in a ticket fits in here, or reading it would fail: every character of it may be one that is shown as
 * several, and what is rendered from fields has numbers and labels of its own.
 */
export const text = z.string().max(2 * maxEscapeFactor * limits.ticket);
export const line = z.string().max(maxEscapeFactor * limits.line);
export const date = z.string().max(40);

export const claim = z
  .object({ holder: line, until: date })
  .describe("Who is on it, until when if nothing is heard of them");

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
});
