import type { Call } from "../../../kernel/call.ts";
import type { Author, TicketServices } from "./tickets.ts";

type Intent = {
  id: string;
  /** One line for the person who may have to decide: "Move T-002 to ARCHIVED". */
  summary: string;
  content: unknown;
  /** Beside the ticket itself. */
  touches?: readonly string[];
};

/** Throws where the caller has read what others wrote and this ticket is not the work it was given. */
export function requireAllowed(
  { guard, work }: Pick<TicketServices, "guard" | "work">,
  call: Call,
  { id, summary, content, touches = [] }: Intent,
): Promise<void> {
  return guard.require(call, { summary, content, touches: [`ticket:${id}`, ...touches] }, work.scopeOf(call.principal));
}

/** The caller as the author of a text: after reading what others wrote, it may be theirs. */
export async function authorOf({ guard }: Pick<TicketServices, "guard">, { principal, record }: Call): Promise<Author> {
  return { principal, record, foreign: await guard.hasReadUntrusted(principal) };
}
