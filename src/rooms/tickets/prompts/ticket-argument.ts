import * as z from "zod";
import type { Completer } from "../../../kernel/prompt.ts";
import { visible } from "../../../kernel/visible.ts";
import { ticketId } from "../model/ticket.ts";
import { type Gate, gates, type Status } from "../model/status.ts";
import type { TicketServices } from "../service/tickets.ts";

const longestValue = 120;
const mostValues = 100;

/** What people pick from a list has the title behind the id. */
export const ticketArgument = z
  .string()
  .min(1)
  .max(400)
  .transform(idIn)
  .pipe(ticketId)
  .describe("The ticket's id, e.g. T-001; what stands behind it after a blank is ignored");

/** Tickets that the gate lets through, as `T-001 Title`. */
export function ticketsFor(gate: Gate): Completer<Pick<TicketServices, "tickets">> {
  const open: readonly Status[] = gates[gate];
  return async ({ tickets }, typed) => {
    const found = await tickets.suggest(typed, mostValues, open);
    // Typed on beyond the id, it is the beginning of a value and no part of a title.
    const near = found.length > 0 ? found : await tickets.suggest(idIn(typed), mostValues, open);
    const values = near.map(asValue);
    return found.length > 0 ? values : values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  };
}

function idIn(value: string): string {
  return value.trim().split(/\s/, 1)[0] ?? "";
}

function asValue({ id, title }: { id: string; title: string }): string {
  const value = `${id} ${visible(title)}`;
  const characters = [...value];
  return characters.length > longestValue ? `${characters.slice(0, longestValue - 1).join("")}…` : value;
}
