import { isOfPerson } from "../../../commons/claims/index.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Author } from "../service/tickets.ts";
import type { NewTicketRow, TicketRow } from "../store/rows.ts";
import type { TicketSummary } from "./ticket.ts";

/**
 * Whose words a ticket holds. On a laptop it is the person's until something of others comes into it. A team's server keeps
 * whose alone it is, by the user's id, since a name may be another person's later; a ticket of which that is not known is
 * foreign to everybody.
 */

type Authorship = Pick<NewTicketRow, "is_foreign" | "sole_author">;

/** Where it stands is one of a few words, and nobody's own. */
const wordless = new Set(["status", "previous_status"]);

export function initialAuthorship({ principal, foreign = false }: Author): Authorship {
  const isKnown = principal.kind === "user" && !foreign;
  return { is_foreign: foreign ? 1 : 0, sole_author: isKnown ? principal.id : null };
}

/** What a change makes of it; one that brings no words leaves it as it was. */
export function authorshipAfter(row: TicketRow, changes: Partial<NewTicketRow>, by: Author): Partial<Authorship> {
  const bringsWords = Object.entries(changes).some(
    ([name, value]) => !wordless.has(name) && value !== row[name as keyof TicketRow],
  );
  if (!bringsWords) return {};
  const isNoLongerTheirs = row.sole_author !== null && (by.foreign || row.sole_author !== by.principal.id);
  return { ...(by.foreign && { is_foreign: 1 }), ...(isNoLongerTheirs && { sole_author: null }) };
}

/** Whether a member of the team would read what others wrote. Who is on it is text too: workers choose their names. */
export function isForeignTo(
  principal: Principal,
  { foreign, soleAuthor, claim }: Pick<TicketSummary, "foreign" | "soleAuthor" | "claim">,
): boolean {
  return foreign || soleAuthor !== principal.id || (claim !== undefined && !isOfPerson(claim.holder, principal));
}
