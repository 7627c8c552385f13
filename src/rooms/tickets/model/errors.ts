import { inMinutes } from "../../../commons/claims/index.ts";
import type { CurrentLease } from "../../../commons/leases/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { limits } from "./limits.ts";

export function ticketNotFound(id: string, nearest: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `There is no ticket ${id}.`, {
    details: { ticketId: id },
    next: [
      ...(nearest.length > 0 ? [`Did you mean ${nearest.join(" or ")}?`] : []),
      "See the tickets there are: list_tickets, or `forge list` on a command line.",
    ],
  });
}

export function ticketTooLarge(id: string, size: number): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `${id} would be ${size} characters as JSON; a ticket can have ${limits.ticket}. Nothing was written.`,
    {
      details: { ticketId: id, size, limit: limits.ticket },
      next: ["Shorten it, or split the work over several tickets. Large designs belong in a file of the repository."],
    },
  );
}

export function ticketExists(id: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `There is a ticket ${id} already. None of those that came with it was imported.`,
    {
      details: { ticketId: id },
      next: [
        "Choose with --on-existing: `skip` leaves the one there is, `replace` takes the new text (history stays), `new-id` adds it under a new id.",
      ],
    },
  );
}

export function claimedByOther(id: string, { holder, leftMs }: Pick<CurrentLease, "holder" | "leftMs">): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${id} is claimed by ${holder}, for ${inMinutes(leftMs)} yet. Nothing was changed.`,
    {
      details: { ticketId: id, holder, expiresInMs: leftMs },
      next: [
        "Choose another ticket, or try again when the claim has ended.",
        `A person can take it back for them: forge call claim_ticket ticketId=${id} release=true.`,
      ],
    },
  );
}

export function questionNotFound(id: string, question: string, known: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `${id} has no question ${question.slice(0, 40)}.`, {
    details: { ticketId: id, questions: known },
    next: [
      known.length > 0 ? `It has ${known.join(", ")}.` : `It has no questions yet: forge questions ${id} --ask TEXT.`,
    ],
  });
}
