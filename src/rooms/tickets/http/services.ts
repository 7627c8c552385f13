import type { People } from "../../../commons/people.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Lazy } from "../../../kernel/definitions/room.ts";
import type { ProofPort } from "../model/ports.ts";
import type { LocalTickets } from "../service/local-tickets.ts";
import type { Author } from "../service/tickets.ts";
import { notAMember } from "./errors.ts";

/** What a request about tickets runs on; all of it belongs to the caller's team. */
export type TicketRouteServices = {
  tickets: LocalTickets;
  people: People;
  /** What is proven of tickets; undefined where that cannot be told. */
  proof: Lazy<ProofPort | undefined>;
};

/** The caller as the author of what it sends, and the revision in `If-Match`. */
export function authorOf({ principal, record }: Call, ifMatch?: number): Author {
  return { principal, record, expectedRevision: ifMatch, foreign: !principal.ownWords };
}

/** The assignee's name: of a member's id, of `me`, or any other name as it is. */
export async function resolveAssignee<Given extends string | null | undefined>(
  { people }: Pick<TicketRouteServices, "people">,
  { principal }: Call,
  given: Given,
): Promise<string | Given> {
  if (typeof given !== "string") return given;
  if (given === "me" || given === principal.id) return principal.name;
  return (await people.nameOf(given)) ?? given;
}

/** The same for a text that must be a member's id: anything else would be kept as a name. */
export async function requireMember(
  { people }: Pick<TicketRouteServices, "people">,
  { principal }: Call,
  userId: string,
): Promise<string> {
  if (userId === "me" || userId === principal.id) return principal.name;
  const name = await people.nameOf(userId);
  if (name === undefined) throw notAMember(userId);
  return name;
}
