// Made by `npm run generate` of the files in this folder.
import { claimTicket } from "./claim-ticket.ts";
import { createTicket } from "./create-ticket.ts";
import { getFileChanges } from "./get-file-changes.ts";
import { getRepositoryContext } from "./get-repository-context.ts";
import { getTicketContext } from "./get-ticket-context.ts";
import { listTickets } from "./list-tickets.ts";
import { submitReviewQuestions } from "./submit-review-questions.ts";
import { updateTicket } from "./update-ticket.ts";
import { updateTicketStatus } from "./update-ticket-status.ts";

export const tools = [
  claimTicket,
  createTicket,
  getFileChanges,
  getRepositoryContext,
  getTicketContext,
  listTickets,
  submitReviewQuestions,
  updateTicket,
  updateTicketStatus,
];
