import { ForgeError } from "../../../../kernel/errors.ts";
import { anyOf } from "../../../../kernel/text/closest.ts";
import { visible } from "../../../../kernel/text/visible.ts";

export function recordsFull(id: string, what: string, max: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} has ${max} ${what}, which is the maximum.`, {
    details: { ticketId: id, max },
    next: ["Split the ticket."],
  });
}

export function criterionNotFound(id: string, given: string, known: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `${id} has no criterion "${visible(given.slice(0, 64))}".`, {
    details: { ticketId: id, criteria: known },
    next:
      known.length > 0
        ? [`Its criteria are ${anyOf(known)}.`]
        : [{ tool: "update_ticket", input: { ticketId: id, acceptanceCriteria: ["…"] }, why: "to add criteria" }],
  });
}

export function criterionReworded(id: string, criterion: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${criterion} of ${id} was reworded. Nothing was waived.`, {
    details: { ticketId: id, criterion },
    next: ["Read the new text, then decide again."],
  });
}

export function checkNotFound(id: string, given: string, known: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `${id} has no check "${visible(given.slice(0, 64))}".`, {
    details: { ticketId: id, checks: known },
    next: known.length > 0 ? [`Its checks are ${anyOf(known)}.`] : ["No check is bound to its criteria yet."],
  });
}

export function checkExists(id: string, check: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${id} already has this check: ${check}.`, {
    details: { ticketId: id, check },
    next: [{ tool: "forge_verify_ticket", input: { ticketId: id }, why: "to run it" }],
  });
}

export function nothingOfKnownChecks(id: string, known: readonly string[]): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `The verification has no result for any check of ${id}, so it was not recorded.`,
    {
      details: { ticketId: id, checks: known },
      next: known.length > 0 ? [`Its checks are ${anyOf(known)}.`] : ["No check is bound to its criteria yet."],
    },
  );
}

export function notALook(check: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Check ${check} is run, not looked at. Nothing was changed.`, {
    details: { check },
    next: ["Run it, or bind a check to the criterion that a person looks at."],
  });
}

export function onlyAPerson(what: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `Only a person can ${what}. Nothing was changed.`, {
    next: ["Ask the user to do this on their own terminal."],
  });
}

export function waiverEnds(until: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `A waiver needs an end date in the future, not "${visible(until.slice(0, 40))}".`,
    {
      next: ["Give a date such as 2030-01-31."],
    },
  );
}
