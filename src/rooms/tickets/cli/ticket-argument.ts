import type { App } from "../../../commons/cli/app.ts";
import type { Candidate, TypingPlace } from "../../../kernel/definitions/command.ts";
import type { TicketServices } from "../service/tickets.ts";

/** What commands on one ticket have in common. */

export const ticketHelp = "Ticket id such as T-001, in any case, or its slug.";

export const ticketArgument = { field: "ticketId", name: "id", help: ticketHelp };

export const ticketSettings = ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"];

const maxOffered = 50;

/** What the room's tools run on, for what no tool does: completing ids, and watching for changes. */
export function ticketServices(app: App): Promise<TicketServices> {
  return app.room<TicketServices>("tickets");
}

/** Ids with titles, for the first word of a command on a ticket. */
export async function completeTicket(app: App, place: TypingPlace): Promise<Candidate[]> {
  return place.option === undefined && place.positionals.length === 0 ? offerTickets(app, place.typed) : [];
}

/** A shell keeps what is typed, so an id continues in the case it was started in. */
export async function offerTickets(app: App, typed: string): Promise<Candidate[]> {
  const { tickets } = await ticketServices(app);
  return (await tickets.suggest(typed, maxOffered)).map(({ id, title, status }) => ({
    value: id.toLowerCase().startsWith(typed.toLowerCase()) ? typed + id.slice(typed.length) : id,
    help: `${status}  ${title}`,
  }));
}
