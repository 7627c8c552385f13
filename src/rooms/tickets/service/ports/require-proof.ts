import type { Call } from "../../../../kernel/calls/call.ts";
import type { ChangeRecord, Ticket } from "../../model/ticket.ts";
import type { TicketServices } from "../tickets.ts";

/** What the project's policy says about completing a ticket; throws where proof is required and missing. */
export async function requireProof(
  { proof }: Pick<TicketServices, "proof">,
  { id, criteria, records = {} }: Ticket,
  { signal }: Call,
): Promise<Pick<ChangeRecord, "proof">> {
  const port = await proof();
  if (!port) return {};
  return { proof: (await port.judge({ id, criteria, records }, signal)).proof };
}
