import type { Call } from "../../kernel/call.ts";
import type { Ticket } from "./model.ts";
import type { TicketServices } from "./ports.ts";

/** A ticket on its way to the caller: that it was read is known before its text is theirs. */
export async function openTicket(
  { tickets, work }: Pick<TicketServices, "tickets" | "work">,
  call: Call,
  id: string,
): Promise<Ticket> {
  const ticket = await tickets.get(id);
  if (ticket.foreign) await call.noteUntrusted();
  work.noteRead(call.principal, ticket.id);
  return ticket;
}
