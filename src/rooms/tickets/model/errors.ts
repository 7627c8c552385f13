import { formatMinutes } from "../../../commons/claims/minutes.ts";
import type { CurrentLease } from "../../../commons/leases/index.ts";
import type { Action } from "../../../kernel/action.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { anyOf } from "../../../kernel/text/closest.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { hasChosenId, limits } from "./limits.ts";
import type { Status } from "./status.ts";
import type { Question } from "./ticket.ts";

/** Everything that can be wrong with what is asked of a ticket. */

export function ticketNotFound(id: string, nearest: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `Ticket ${id} not found.`, {
    details: { ticketId: id },
    next: [
      ...(nearest.length > 0 ? [`Did you mean ${anyOf(nearest)}?`] : []),
      { tool: "list_tickets", why: "to see all tickets" },
    ],
    ...(hasChosenId(nearest) && { quotes: "others" }),
  });
}

export function invalidId(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${visible(id.slice(0, 64))}" is not a ticket id.`, {
    next: [
      "An id looks like T-001: letters, digits, _ and - only.",
      { tool: "list_tickets", why: "to see all tickets" },
    ],
  });
}

/** `meant` is what the word is usually taken for; the statuses themselves are in the details only. */
export function unknownStatus(name: string, statuses: readonly Status[], nearest?: Status): ForgeError {
  const hint = nearest ? ` Did you mean ${nearest}?` : "";
  return new ForgeError("VALIDATION_ERROR", `Unknown status "${visible(name.slice(0, 64))}".${hint}`, {
    details: { statuses },
    ...(!nearest && { next: ["The most used are DRAFT, READY, CREATED, COMPLETE and ARCHIVED."] }),
  });
}

export function moveNotAllowed(id: string, from: Status, to: Status, allowed: readonly Status[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} cannot move from ${from} to ${to}.`, {
    details: { ticketId: id, from, to, legal: allowed },
    next: [`From ${from} it can move to ${anyOf(allowed)}.`],
  });
}

/** `way`: the moves that lead to a status in which it can be. */
export function notExecutable(
  id: string,
  status: Status,
  allowed: readonly Status[],
  way: readonly Status[],
): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} is ${status}; only a ticket that is ${anyOf(allowed)} can be run.`, {
    details: { ticketId: id, status, legal: allowed },
    next: moveFirst(id, way),
  });
}

export function notReviewable(
  id: string,
  status: Status,
  allowed: readonly Status[],
  way: readonly Status[],
): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `${id} is ${status}; only a ticket that is ${anyOf(allowed)} can be reviewed.`,
    { details: { ticketId: id, status, legal: allowed }, next: moveFirst(id, way) },
  );
}

function moveFirst(id: string, way: readonly Status[]): Action[] {
  return way.map((status, index) => ({
    tool: "update_ticket_status",
    input: { ticketId: id, status },
    why: index === 0 ? "first, if it is ready for that" : "after that",
  }));
}

export function assignedToOther(id: string, status: Status, allowed: readonly Status[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} is ${status} and assigned to someone else.`, {
    details: { ticketId: id, status, legal: allowed },
    next: [{ tool: "update_ticket", input: { ticketId: id, assignee: "me" }, why: "to take it over" }],
  });
}

/** What the policy for proof said was about the ticket as it was before. */
export function changedBeforeCompletion(id: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${id} was changed while it was being completed, so it was not completed.`, {
    details: { ticketId: id },
    next: ["Try again: Forge then checks the changed ticket."],
  });
}

export function alreadyComplete(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} is already COMPLETE.`, {
    details: { ticketId: id, status: "COMPLETE" },
    next: [
      { tool: "complete_ticket", input: { ticketId: id, correct: true }, why: "to correct the record of its work" },
      { tool: "update_ticket_status", input: { ticketId: id, status: "CREATED" }, why: "to continue its work" },
    ],
  });
}

export function blockedByTickets(id: string, open: readonly string[]): ForgeError {
  const names = open.slice(0, 5).join(", ");
  return new ForgeError("CONFLICT_ERROR", `${id} cannot be started yet: ${names} must be done first.`, {
    details: { ticketId: id, blockedBy: open },
    next: [
      { tool: "get_ticket_context", input: { ticketId: open[0] ?? "" }, why: "to see what it waits for" },
      { tool: "next_ticket", why: "to see what can be started" },
    ],
    ...(hasChosenId(open) && { quotes: "others" }),
  });
}

export function unknownDependency(id: string, missing: readonly string[]): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `${id} cannot wait for ${missing.slice(0, 5).join(", ")}: there is no such ticket.`,
    {
      details: { ticketId: id, missing },
      next: [{ tool: "list_tickets", why: "to see all tickets" }],
    },
  );
}

export function ticketCycle(path: readonly string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `These tickets would wait for each other: ${path.join(" → ")}.`, {
    details: { path },
    next: ["Leave out one of the dependencies."],
    ...(hasChosenId(path) && { quotes: "others" }),
  });
}

const maxNamedQuestions = 5;
const blockedReason = "blocking-questions";

/** `to` continues the sentence "… must be answered before": `work starts`. */
export function blockedByQuestions(
  { id, foreign }: { id: string; foreign: boolean },
  open: readonly Question[],
  to: string,
): ForgeError {
  const named = open
    .slice(0, maxNamedQuestions)
    .map((one) => `Answer ${one.id}: "${visible(one.question.slice(0, 300))}"`);
  const count = open.length === 1 ? "1 BLOCKING question" : `${open.length} BLOCKING questions`;
  return new ForgeError("VALIDATION_ERROR", `${id} has ${count} that must be answered before ${to}.`, {
    details: { ticketId: id, reason: blockedReason, questions: open.map((one) => one.id) },
    next: [
      ...named,
      ...(open.length > named.length ? [`And ${open.length - named.length} more.`] : []),
      "Ask the user, and record their answers.",
      { command: `questions ${id} -i`, why: "to answer or dismiss them" },
    ],
    ...(foreign && { quotes: "others" }),
  });
}

export function isBlocked(error: unknown): error is ForgeError {
  return error instanceof ForgeError && error.details?.["reason"] === blockedReason;
}

export function onlyAPersonDismisses(): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    "Only a person can dismiss a question, or change or remove a BLOCKING one that is open. Nothing was changed.",
    {
      next: ["Ask the user to run this on their own terminal, or answer the question."],
    },
  );
}

export function notClaimable(id: string, status: Status): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} is ${status}: there is nothing to claim.`, {
    details: { ticketId: id, status },
    next: [{ tool: "list_tickets", input: { status: ["READY"] }, why: "to find a ticket to work on" }],
  });
}

export function claimedByOther(id: string, { holder, leftMs }: Pick<CurrentLease, "holder" | "leftMs">): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${id} is claimed by ${holder} for another ${formatMinutes(leftMs)}. Nothing was changed.`,
    {
      details: { ticketId: id, holder, expiresInMs: leftMs },
      next: [
        "Choose another ticket, or try again when the claim has ended.",
        {
          command: `release ${id}`,
          why: "on your own terminal, to release the claim, if it is one of your own assistants'",
        },
      ],
    },
  );
}

export function ticketTooLarge(id: string, size: number): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `${id} would have ${size} characters as JSON; the limit is ${limits.ticket}. Nothing was changed.`,
    {
      details: { ticketId: id, size, limit: limits.ticket },
      next: ["Shorten it, or split the work into several tickets. Keep large designs in a file of the repository."],
    },
  );
}

export function ticketExists(id: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Ticket ${id} already exists. None of the tickets it came with was imported.`,
    {
      details: { ticketId: id },
      next: [
        "Choose what to do with existing tickets: `skip` keeps them, `replace` overwrites their text and keeps their history, `new-id` adds the imported one under a new id.",
      ],
    },
  );
}

export function questionNotFound(id: string, question: string, known: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `${id} has no question ${question.slice(0, 40)}.`, {
    details: { ticketId: id, questions: known },
    next: [known.length > 0 ? `Its questions are ${known.join(", ")}.` : "It has no questions yet."],
  });
}

export function titleMissing(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} needs a title.`, {
    next: ["Write it as the first heading: # Title."],
  });
}

/** `kind` says who gives ids of this kind: Forge once, or a server. */
export function idChanged(id: string, given: string, kind: "server" | "local"): ForgeError {
  const why = kind === "server" ? "the server gives ids" : "ids never change";
  return new ForgeError("VALIDATION_ERROR", `The id of ${id} cannot become ${given.slice(0, 64)}: ${why}.`, {
    next: [`Change the id back to ${id}. To make a second ticket of the text, import it under a new id.`],
  });
}

export function slugTaken(slug: string, owner: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `The slug ${slug.slice(0, 64)} belongs to ${owner}. Nothing was changed.`, {
    details: { slug: slug.slice(0, 200), ticketId: owner },
    next: ["Give it another slug, or none."],
  });
}

export function nothingToChange(fields: readonly string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "No field to change was given.", {
    next: [`Give at least one of ${fields.join(", ")}.`],
  });
}

export function invalidDivergence(word: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `A divergence cannot be "${visible(word.slice(0, 64))}".`, {
    next: ['Write four texts separated by |, such as "session|a day|an hour|the auditors asked for it".'],
  });
}

export function invalidAnswer(word: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `An answer cannot be "${visible(word.slice(0, 64))}".`, {
    next: ['Write the question\'s id and a text, such as "Q-1=For a day."'],
  });
}

export function answeredTwice(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${visible(id.slice(0, 64))} is answered twice.`, {
    next: ["Give one answer for each question."],
  });
}
