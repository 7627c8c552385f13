import * as z from "zod";
import { definePrompt } from "../../../kernel/definitions/prompt.ts";
import { requireId } from "../model/ids.ts";
import { completeTickets, ticketArgument } from "./ticket-argument.ts";
import { makeTicketPrompt, type PromptServices, type TicketTask } from "./ticket-prompt.ts";

const args = z.object({ ticketId: ticketArgument });

const execution: TicketTask = {
  gate: "execute",
  guide: "dev-executor",
  reminder: (id) =>
    `This is the end of the data. Now execute ticket ${id} as the guide at the top says: build what its criteria ask for, change only the files in its fileChanges, show evidence for each criterion by its id, and set no status that you have not verified.`,
};

export const forgeExecute = definePrompt<PromptServices, typeof args>({
  name: "forge_execute",
  title: "Execute a ticket",
  description:
    "Implement a ticket: gives the guide, the ticket and the state of the repository. For tickets that are READY or VALIDATED, or CREATED and assigned to you.",
  args,
  complete: { ticketId: completeTickets("execute") },
  about: ({ ticketId }) => [`ticket:${requireId(ticketId)}`],
  run: (services, { ticketId }, call) => makeTicketPrompt(services, call, execution, ticketId),
});
