import type { App } from "../../../commons/cli/app.ts";
import type { TicketDesk } from "./desk.ts";

/** Tickets for a command that is to have a result: where Ctrl+C cuts it off, the exit code says so. */
export function deskForResult(app: App): Promise<TicketDesk> {
  app.failOnSignals();
  return app.tickets();
}
