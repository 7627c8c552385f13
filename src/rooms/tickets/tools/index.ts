// Made by `npm run generate` of the files in this folder.
export const tools = {
  claim_ticket: async () => (await import("./claim-ticket.ts")).claimTicket,
  create_ticket: async () => (await import("./create-ticket.ts")).createTicket,
  get_file_changes: async () => (await import("./get-file-changes.ts")).getFileChanges,
  get_repository_context: async () => (await import("./get-repository-context.ts")).getRepositoryContext,
  get_ticket_context: async () => (await import("./get-ticket-context.ts")).getTicketContext,
  list_tickets: async () => (await import("./list-tickets.ts")).listTickets,
  submit_review_questions: async () => (await import("./submit-review-questions.ts")).submitReviewQuestions,
  update_ticket: async () => (await import("./update-ticket.ts")).updateTicket,
  update_ticket_status: async () => (await import("./update-ticket-status.ts")).updateTicketStatus,
};
