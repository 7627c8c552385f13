import type { Action } from "../../kernel/action.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { GuardedChange } from "./guarded-change.ts";
import { showLine, showTouches } from "./question.ts";

const stayInScope = "Keep to what the task declares; such a change needs no confirmation.";

type Change = Pick<GuardedChange, "summary" | "why" | "quotes">;

const readBefore = "text written by others was read before and the change is outside what the task declares";

function refusal({ quotes }: Change, message: string, details: Record<string, unknown>, next: Action[]): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${message} Nothing was changed.`, { details, next, quotes });
}

export function notConfirmed(change: Change, outside: string[]): ForgeError {
  const what = showLine(change.summary);
  return refusal(change, `The user did not allow this change: ${what}.`, { outside }, [stayInScope]);
}

export function denied(change: Change, approval: string): ForgeError {
  const what = showLine(change.summary);
  return refusal(change, `The user rejected this change: ${what}.`, { approval }, [stayInScope]);
}

export function approvalNeeded(change: Change, outside: string[], approval: string): ForgeError {
  const { summary, why = readBefore } = change;
  return refusal(
    change,
    `This change needs the user's approval, because ${why} (${showTouches(outside)}): ${showLine(summary)}.`,
    { approval, outside },
    [
      { command: `approve ${approval}`, why: "within the hour, to review and allow it" },
      "After it is approved, call again with the same arguments.",
      stayInScope,
    ],
  );
}

export function tooManyWaiting(change: Change): ForgeError {
  return refusal(
    change,
    `Too many changes are already waiting for approval, so this one was not added: ${showLine(change.summary)}.`,
    {},
    [{ command: "approve", why: "to review those that are waiting" }, stayInScope],
  );
}

export function notWaiting(id: string): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `No change ${id} is waiting for approval: it was already decided, or an hour has passed.`,
    { details: { id }, next: [{ command: "approve", why: "to see what is waiting" }] },
  );
}

export function invalidApprovalKey(file: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} should contain the key that signs your approvals, but does not.`, {
    details: { file },
    next: [
      "Move the file away. Forge creates a new key with the next approval; approvals that were not used yet must be given again.",
    ],
  });
}
