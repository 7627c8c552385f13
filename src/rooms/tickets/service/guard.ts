import { adoptedTicket, anyFile, quoteName, sayWith, withoutAsking } from "../../../commons/guard/index.ts";
import type { Call, TextOrigin } from "../../../kernel/calls/call.ts";
import type { Ticket } from "../model/ticket.ts";
import { LocalTickets } from "./local-tickets.ts";
import type { Author, TicketServices } from "./tickets.ts";

type Intent = {
  id: string;
  /** One line for the person who may have to decide: "Move T-002 to ARCHIVED". */
  summary: string;
  content: unknown;
  /** The content is the ticket's own text: it is not new, and can be that of others. */
  isKnown?: true;
  /** It permits more than itself, which the summary says. */
  lasts?: true;
  /** Beside the ticket itself. */
  touches?: readonly string[];
  /** Whose words are in the summary, beside the caller's. */
  quotes?: TextOrigin | undefined;
};

type StartServices = Pick<TicketServices, "tickets" | "guard" | "workbench">;

/**
 * Who is allowed to start it works on it and on its tasks from then on: what that permits is part of the question, and the text is
 * not new.
 */
export async function startIntent(
  services: StartServices,
  what: string,
  { id, title, fileChanges, foreign }: Pick<Ticket, "id" | "title" | "fileChanges" | "foreign">,
  content: unknown,
): Promise<Omit<Intent, "id">> {
  const ofTasks = (await isAdopted(services, id)) ? "any" : ((await (await services.workbench())?.filesOf(id)) ?? []);
  const known = { content, isKnown: true, lasts: true, quotes: foreign ? "others" : undefined } as const;
  const start = `${what} ${quoteName(title)}`;
  const ticket = `${start}, and change it`;
  if (ofTasks === "any") return { summary: `${ticket} and ${anyFile}`, ...known };
  const files = [...new Set([...fileChanges.map(({ path }) => path), ...ofTasks])];
  if (files.length === 0) return { summary: `${ticket} ${withoutAsking}`, ...known };
  return { summary: sayWith(`${ticket} and the files that it lists ${withoutAsking}`, { files }), ...known };
}

/**
 * The proper id of the ticket that a call is about to change. Throws if the caller has read text by others and is not
 * working on this ticket.
 */
export async function requireAllowed(
  { tickets, guard, active }: Pick<TicketServices, "tickets" | "guard" | "active">,
  call: Call,
  given: string,
  intentFor: (id: string) => Omit<Intent, "id"> | Promise<Omit<Intent, "id">>,
): Promise<string> {
  // A person's own command; no text by others suggested it.
  if (call.principal.atKeyboard) return given;
  const { id } = await tickets.get(given);
  const { summary, content, touches = [], isKnown, lasts, quotes } = await intentFor(id);
  const said = isKnown ? summary : sayWith(summary, content);
  const action = { summary: said, content, touches: [`ticket:${id}`, ...touches], quotes, lasts };
  await guard.require(call, action, active.scopeOf(call.principal));
  return id;
}

/**
 * A person starts the ticket, on a terminal or with a prompt: they have seen it and want it done. Work on its tasks may then
 * change everything but protected paths, until others change its text.
 */
export async function adoptTicket(
  { guard, tickets }: Pick<TicketServices, "guard" | "tickets">,
  call: Call,
  ticket: Ticket,
): Promise<void> {
  const { atKeyboard, instance } = call.principal;
  // A client's user chooses its prompts. A command that prints one, without a terminal, may be an assistant's.
  const isPerson = atKeyboard || (call.record.kind === "prompt" && instance !== undefined);
  // On a team's server others can change the text at any time.
  if (isPerson && tickets instanceof LocalTickets) await guard.marks.add(adoptedTicket(ticket.id), call.principal.name);
}

/**
 * Whether a person has taken over the ticket. Only one of the project's own: a project that is linked to a team has the team's
 * tickets under the same ids.
 */
export async function isAdopted(
  { guard, tickets }: Pick<TicketServices, "guard" | "tickets">,
  id: string,
): Promise<boolean> {
  return tickets instanceof LocalTickets && guard.marks.has(adoptedTicket(id));
}

/** The text of a ticket is changed by someone who may follow others: nobody has adopted that text. */
export async function dropAdoption(
  { guard }: Pick<TicketServices, "guard">,
  { foreign }: Author,
  id: string,
): Promise<void> {
  if (foreign) await guard.marks.remove("adopted", adoptedTicket(id).subject);
}

/** The caller as the author of a text: after reading text by others, what it writes may be theirs. */
export async function authorOf({ guard }: Pick<TicketServices, "guard">, call: Call): Promise<Author> {
  const { principal, record } = call;
  return { principal, record, foreign: await guard.hasReadUntrusted(principal) };
}
