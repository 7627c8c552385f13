import type { App } from "../../../commons/cli/app.ts";
import type { Argument, Candidate, TypingPlace } from "../../../kernel/command.ts";

/** What commands on one ticket have in common. */

export const ticketArgument: Argument = {
  name: "id",
  required: true,
  help: "The ticket's id, like T-001, in any case, or its slug.",
};

export const ticketSettings = ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"];

const mostOffered = 50;

/** Ids with titles, for the first word of a command on a ticket. */
export async function completeTicket(app: App, place: TypingPlace): Promise<Candidate[]> {
  return place.option === undefined && place.positionals.length === 0 ? offerTickets(app, place.typed) : [];
}

/** A shell keeps what is typed, so an id goes on in the case it was begun in. */
export async function offerTickets(app: App, typed: string): Promise<Candidate[]> {
  const desk = await app.tickets();
  return (await desk.suggest(typed, mostOffered)).map(({ id, title, status }) => ({
    value: id.toLowerCase().startsWith(typed.toLowerCase()) ? typed + id.slice(typed.length) : id,
    help: `${status}  ${title}`,
  }));
}
