import type { TicketDesk } from "../../../../rooms/tickets/cli/desk.ts";
import type { App } from "../../app.ts";

/** Tickets for a command that is to have a result: where Ctrl+C cuts it off, the exit code says so. */
export function deskForResult(app: App): Promise<TicketDesk> {
  app.failOnSignals();
  return app.tickets();
}
