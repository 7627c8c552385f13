import { isOfPerson } from "../../../commons/claims/holders.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Author } from "../service/tickets.ts";
import type { NewTicketRow, TicketRow } from "../store/rows.ts";
import type { TicketSummary } from "./ticket.ts";

/**
 * Who wrote the text of a ticket. On a laptop it is the user's own until text by others comes in. A team's server keeps the
 * id of the only author, since a display name can later belong to someone else. A ticket without a known sole author is
 * foreign to everyone.
 */

type Authorship = Pick<NewTicketRow, "is_foreign" | "sole_author">;

/** Columns whose values are fixed words, not text that someone wrote. */
const wordless = new Set(["status", "previous_status", "unproven"]);

export function initialAuthorship({ principal, foreign = false }: Author): Authorship {
  const isKnown = principal.kind === "user" && !foreign;
  return { is_foreign: foreign ? 1 : 0, sole_author: isKnown ? principal.id : null };
}

/** The authorship after a change; one that adds no text leaves it as it was. */
export function authorshipAfter(row: TicketRow, changes: Partial<NewTicketRow>, by: Author): Partial<Authorship> {
  const addsText = Object.entries(changes).some(
    ([name, value]) => !wordless.has(name) && value !== row[name as keyof TicketRow],
  );
  if (!addsText) return {};
  const losesSoleAuthor = row.sole_author !== null && (by.foreign || row.sole_author !== by.principal.id);
  return { ...(by.foreign && { is_foreign: 1 }), ...(losesSoleAuthor && { sole_author: null }) };
}

/** Whether a team member would read text by others. The claim's holder counts as text: workers choose their own names. */
export function isForeignTo(
  principal: Principal,
  { foreign, soleAuthor, claim }: Pick<TicketSummary, "foreign" | "soleAuthor" | "claim">,
): boolean {
  return foreign || soleAuthor !== principal.id || (claim !== undefined && !isOfPerson(claim.holder, principal));
}
