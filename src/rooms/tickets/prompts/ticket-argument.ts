import * as z from "zod";
import type { Completer } from "../../../kernel/definitions/prompt.ts";
import { showCarriers } from "../../../kernel/text/carriers.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { canResume, type Gate, gates, type Status } from "../model/status.ts";
import { ticketId } from "../model/ticket-fields.ts";
import type { TicketServices } from "../service/tickets.ts";

const maxValueLength = 120;
/** Before a title is cut off: half a secret does not look like one. */
const redactor = new Redactor();
const maxValues = 100;

/** A value that was picked from the completions has the title after the id. */
export const ticketArgument = z
  .string()
  .min(1)
  .max(400)
  .transform(parseId)
  .pipe(ticketId)
  .describe("The ticket's id, e.g. T-001; anything after a space is ignored");

/** Tickets that can be executed or reviewed, as `T-001 Title`; for an execution first those that the caller can go on with. */
export function completeTickets(gate: Gate): Completer<Pick<TicketServices, "tickets">> {
  const open: readonly Status[] = gates[gate];
  return async ({ tickets }, typed, call) => {
    const { name } = call.principal;
    const suggest = async (text: string) => [
      ...(gate === "execute" ? await findResumable(tickets, text, name) : []),
      ...(await tickets.suggest(text, maxValues, open)),
    ];
    const found = await suggest(typed);
    // Text beyond an id is the beginning of a completed value, and part of no title.
    const near = found.length > 0 ? found : await suggest(parseId(typed));
    if (near.some(({ foreign }) => foreign)) await call.noteUntrusted();
    const values = near.slice(0, maxValues).map(toValue);
    return found.length > 0 ? values : values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  };
}

/** What is in progress: the caller's own first, then what is unassigned. */
async function findResumable(tickets: TicketServices["tickets"], typed: string, name: string) {
  const begun = await tickets.suggest(typed, maxValues, ["CREATED"]);
  if (begun.length === 0) return [];
  const page = await tickets.list({ status: ["CREATED"], limit: 200 });
  const resumable = page.tickets.filter((ticket) => canResume(ticket, name));
  const isOwn = (id: string) => resumable.some((ticket) => ticket.id === id && ticket.assignee === name);
  const offered = begun.filter(({ id }) => resumable.some((ticket) => ticket.id === id));
  return [...offered.filter(({ id }) => isOwn(id)), ...offered.filter(({ id }) => !isOwn(id))];
}

function parseId(value: string): string {
  return value.trim().split(/\s/, 1)[0] ?? "";
}

function toValue({ id, title, foreign }: { id: string; title: string; foreign: boolean }): string {
  const shown = visible(redactor.text(title));
  const value = `${id} ${foreign ? showCarriers(shown) : shown}`;
  const characters = [...value];
  return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength - 1).join("")}…` : value;
}
