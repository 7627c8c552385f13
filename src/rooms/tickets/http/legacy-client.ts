import * as z from "zod";
import type { Principal } from "../../../kernel/principal.ts";
import { limits } from "../model/limits.ts";
import type { Status } from "../model/status.ts";
import type { Ticket, TicketSummary } from "../model/ticket.ts";
import { priority, type TicketFilter } from "../model/ticket-fields.ts";
import { toContext } from "../reading/context.ts";
import { ticketContext } from "../reading/context-schemas.ts";
import type { LocalTickets } from "../service/local-tickets.ts";

/**
 * What forge-cli 1.0.1 expects: a list without pages, statuses in lower case, and every field that it uses on the top level
 * of a ticket. It is served these shapes only where a request shows that it is that client.
 */

const pageSize = 200;
const maxListed = 2_000;

const legacyStatus = z.string().max(64).describe("In lower case, with hyphens");

const legacySummary = z.object({
  id: z.string().max(limits.line),
  title: z.string().max(limits.line),
  status: legacyStatus,
  priority: priority.optional(),
  assignedTo: z.string().max(limits.line).nullable(),
  createdAt: z.string().max(40),
  updatedAt: z.string().max(40),
});

export const legacyList = z.array(legacySummary).describe("For forge-cli 1.0.1");

export const legacyTicket = ticketContext
  .extend({ status: legacyStatus, assignedTo: z.string().max(limits.line).nullable() })
  .describe("For forge-cli 1.0.1");

/** The statuses it does not know are those of a draft's questions. */
export function toLegacyStatus(status: Status): string {
  const isQuestioned = status.startsWith("IN_QUESTION_") || status === "QUESTIONS_COMPLETE";
  return isQuestioned ? "draft" : status.toLowerCase().replaceAll("_", "-");
}

export function toLegacyTicket(ticket: Ticket): z.input<typeof legacyTicket> {
  return {
    ...toContext(ticket),
    status: toLegacyStatus(ticket.status),
    assignedTo: ticket.assignee ?? null,
  };
}

/** All of them at once: it knows no pages. */
export async function listForLegacy(tickets: LocalTickets, filter: TicketFilter): Promise<z.input<typeof legacyList>> {
  const found: TicketSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await tickets.list({ ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) });
    found.push(...page.tickets);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < maxListed);
  return found.map(toLegacySummary);
}

function toLegacySummary(summary: TicketSummary): z.input<typeof legacySummary> {
  const { id, title, status, priority: urgency, assignee, createdAt, updatedAt } = summary;
  return {
    id,
    title,
    status: toLegacyStatus(status),
    ...(urgency && { priority: urgency }),
    assignedTo: assignee ?? null,
    createdAt,
    updatedAt,
  };
}

export function isLegacy({ legacyClient }: Principal): boolean {
  return legacyClient === true;
}
