import type { Call } from "../../../kernel/call.ts";
import type { By } from "../ports.ts";
import type { LocalTickets } from "../tickets.ts";

/** Who is who in the caller's team. */
export interface People {
  /** The name a ticket is assigned by; undefined for whoever is not in the team. */
  nameOf(userId: string): Promise<string | undefined>;
}

/** What a request about tickets needs of the server; all of it is the caller's team's. */
export type TicketRouteServices = { tickets: LocalTickets; people: People };

/** The caller as the author of what it sends, and the revision that `If-Match` holds the change to. */
export function writer({ principal, record }: Call, ifMatch?: number): By {
  return { principal, record, expectedRevision: ifMatch, foreign: !principal.ownWords };
}

/** An assignee as tickets name them: by a member's id, by `me`, or by any other name as it is. */
export async function namedAssignee<Given extends string | null | undefined>(
  { people }: Pick<TicketRouteServices, "people">,
  { principal }: Call,
  given: Given,
): Promise<string | Given> {
  if (typeof given !== "string") return given;
  if (given === "me" || given === principal.id) return principal.name;
  return (await people.nameOf(given)) ?? given;
}
