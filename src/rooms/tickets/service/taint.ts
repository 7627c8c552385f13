import type { Call } from "../../../kernel/calls/call.ts";
import type { Ticket } from "../model/ticket.ts";
import type { TicketServices } from "./tickets.ts";

type TaintServices = Pick<TicketServices, "tickets" | "active">;

/** Reads a ticket for the caller. That it was read is recorded before its text is handed out. */
export async function readForCaller({ tickets, active }: TaintServices, call: Call, id: string): Promise<Ticket> {
  const ticket = await tickets.get(id, { partly: true });
  active.noteRead(call.principal, ticket.id);
  if (ticket.foreign) await markTainted({ active }, call);
  return ticket;
}

/** The caller is about to be given text by others. A person's command shows it to the person, and follows nothing in it. */
export async function markTainted(
  { active }: Pick<TaintServices, "active">,
  call: Pick<Call, "principal" | "record" | "noteUntrusted">,
): Promise<void> {
  if (call.record.kind === "command") return;
  active.markTainted(call.principal);
  await call.noteUntrusted();
}
