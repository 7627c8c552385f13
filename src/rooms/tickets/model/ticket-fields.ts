import * as z from "zod";
import { idPattern, limits, priorities, ticketTypes } from "./limits.ts";
import { statuses } from "./status.ts";

// Apart from the schemas of whole tickets, which take longer to build than a list takes to read.

export const ticketId = z
  .string()
  .max(100)
  .refine((id) => idPattern.test(id), "must be a ticket id like T-001: letters, digits, _ and - only");

/** PostgreSQL cannot store it. */
export const withoutNul = (given: string) => !given.includes("\0");
export const noNul = "must not contain the character NUL";

/** Text that a list is filtered by. */
export const searchText = z.string().max(limits.name).refine(withoutNul, noNul);

export const status = z.enum(statuses);
export const priority = z.enum(priorities);
export const ticketType = z.enum(ticketTypes);

export const ticketFilter = z.object({
  status: z.array(status).min(1).max(50).optional(),
  assignee: searchText.optional(),
  unassigned: z.boolean().optional(),
  label: searchText.optional(),
  priority: priority.optional(),
  type: ticketType.optional(),
  text: z.string().max(limits.line).optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: z.string().max(200).optional(),
});
export type TicketFilter = z.output<typeof ticketFilter>;
