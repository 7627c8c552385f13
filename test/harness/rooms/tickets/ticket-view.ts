import type { TicketView } from "../../../../src/rooms/tickets/model/ticket/ticket-view.ts";

/** A ticket to print. */
export function ticketView(overrides: Partial<TicketView> = {}): TicketView {
  return {
    id: "T-001",
    slug: "keep-people-signed-in",
    title: "Keep people signed in",
    status: "READY",
    type: "feature",
    priority: "high",
    createdAt: "2026-11-01T12:00:00.000Z",
    updatedAt: "2026-11-02T09:30:00.000Z",
    createdBy: "ada",
    updatedBy: "ada",
    revision: 3,
    foreign: false,
    criteria: [{ id: "AC-1", text: "A reload keeps the session." }],
    fileChanges: [{ path: "src/session.ts", action: "modify" }],
    designRefs: [],
    assumptions: [],
    inScope: [],
    outOfScope: [],
    labels: [],
    dependsOn: [],
    questions: [{ id: "Q-1", question: "For how long?", blocking: true }],
    ...overrides,
  };
}
