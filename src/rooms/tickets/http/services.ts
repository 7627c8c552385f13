import type { Call } from "../../../kernel/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { LocalTickets } from "../service/local-tickets.ts";
import type { Author } from "../service/tickets.ts";

/** Who is who in the caller's team. */
export interface People {
  /** The name a ticket is assigned by; undefined for whoever is not in the team. */
  nameOf(userId: string): Promise<string | undefined>;
}

/** What a request about tickets needs of the server; all of it is the caller's team's. */
export type TicketRouteServices = { tickets: LocalTickets; people: People };

/** The caller as the author of what it sends, and the revision that `If-Match` holds the change to. */
export function authorOf({ principal, record }: Call, ifMatch?: number): Author {
  return { principal, record, expectedRevision: ifMatch, foreign: !principal.ownWords };
}

/** An assignee as tickets name them: by a member's id, by `me`, or by any other name as it is. */
export async function resolveAssignee<Given extends string | null | undefined>(
  { people }: Pick<TicketRouteServices, "people">,
  { principal }: Call,
  given: Given,
): Promise<string | Given> {
  if (typeof given !== "string") return given;
  if (given === "me" || given === principal.id) return principal.name;
  return (await people.nameOf(given)) ?? given;
}

/** The same where only an id will do: what is no member's would stay as somebody's name. */
export async function requireMember(
  { people }: Pick<TicketRouteServices, "people">,
  { principal }: Call,
  userId: string,
): Promise<string> {
  if (userId === "me" || userId === principal.id) return principal.name;
  const name = await people.nameOf(userId);
  if (name !== undefined) return name;
  throw new ForgeError("VALIDATION_ERROR", "The userId is no member's of the team.", {
    details: { userId },
    next: [
      "GET /api/teams/TEAM/members tells the members' ids; `me` is the caller.",
      "For a name that is no member's, PATCH the ticket itself with assignedTo.",
    ],
  });
}
