import * as z from "zod";
import { claim, date, line, texts } from "../model/ticket/schema-parts.ts";
import { priority, status, ticketType } from "../model/ticket-fields.ts";

/** What lists show of a ticket, and what it begins with when it is read. */
export const shownFacts = {
  id: line,
  slug: line.optional(),
  title: line,
  status,
  type: ticketType.optional(),
  priority: priority.optional(),
  assignee: line.optional(),
  createdAt: date,
  updatedAt: date,
  revision: z.number().int().min(0).describe("Goes up with every change"),
  claim: claim.optional(),
};

/** A ticket in a list. */
export const ticketSummary = z.object({
  ...shownFacts,
  foreign: z.boolean().describe("Contains text by others than the user"),
  labels: texts.optional(),
  unproven: z.literal(true).optional().describe("Completed without proof"),
});
