import * as z from "zod";
import type { Completer } from "../../../kernel/definitions/prompt.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { type Gate, gates, type Status } from "../model/status.ts";
import { ticketId } from "../model/ticket.ts";
import type { TicketServices } from "../service/tickets.ts";

const maxValueLength = 120;
const maxValues = 100;

/** A value that was picked from the completions has the title after the id. */
export const ticketArgument = z
  .string()
  .min(1)
  .max(400)
  .transform(parseId)
  .pipe(ticketId)
  .describe("The ticket's id, e.g. T-001; anything after a space is ignored");

/** Tickets that can be executed or reviewed, as `T-001 Title`. */
export function completeTickets(gate: Gate): Completer<Pick<TicketServices, "tickets">> {
  const open: readonly Status[] = gates[gate];
  return async ({ tickets }, typed) => {
    const found = await tickets.suggest(typed, maxValues, open);
    // Text beyond an id is the beginning of a completed value, and part of no title.
    const near = found.length > 0 ? found : await tickets.suggest(parseId(typed), maxValues, open);
    const values = near.map(toValue);
    return found.length > 0 ? values : values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  };
}

function parseId(value: string): string {
  return value.trim().split(/\s/, 1)[0] ?? "";
}

function toValue({ id, title }: { id: string; title: string }): string {
  const value = `${id} ${visible(title)}`;
  const characters = [...value];
  return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength - 1).join("")}…` : value;
}
