import * as z from "zod";
import { definePrompt } from "../../../kernel/definitions/prompt.ts";
import { requireId } from "../model/ids.ts";
import { completeTickets, ticketArgument } from "./ticket-argument.ts";
import { makeTicketPrompt, type PromptServices, type TicketTask } from "./ticket-prompt.ts";

const args = z.object({ ticketId: ticketArgument });

const review: TicketTask = {
  gate: "review",
  guide: "dev-reviewer",
  reminder: (id) =>
    `This is the end of the data. Now review ticket ${id} as the guide at the top says: ask five to ten questions, BLOCKING ones first, one at a time; do not answer them yourself, and submit nothing that the developer has not confirmed.`,
};

export const forgeReview = definePrompt<PromptServices, typeof args>({
  name: "forge_review",
  title: "Review a ticket",
  description:
    "Review a ticket by asking the developer what is unclear: gives the guide, the ticket and the state of the repository. For tickets that are READY, VALIDATED, CREATED or DRIFTED.",
  args,
  complete: { ticketId: completeTickets("review") },
  about: ({ ticketId }) => [`ticket:${requireId(ticketId)}`],
  run: (services, { ticketId }, call) => makeTicketPrompt(services, call, review, ticketId),
});
