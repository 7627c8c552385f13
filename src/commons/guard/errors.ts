import type { Action } from "../../kernel/action.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { showLine, showTouches } from "./question.ts";

const stayInScope = "Keep to what the task declares; such a change needs no confirmation.";

type Change = { summary: string; why?: string };

const readBefore = "text written by others was read before and the change is outside what the task declares";

function refusal(message: string, details: Record<string, unknown>, next: Action[]): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${message} Nothing was changed.`, { details, next });
}

export function notConfirmed({ summary }: Change, outside: string[]): ForgeError {
  return refusal(`The user did not allow this change: ${showLine(summary)}.`, { outside }, [stayInScope]);
}

export function denied({ summary }: Change, approval: string): ForgeError {
  return refusal(`The user rejected this change: ${showLine(summary)}.`, { approval }, [stayInScope]);
}

export function approvalNeeded({ summary, why = readBefore }: Change, outside: string[], approval: string): ForgeError {
  return refusal(
    `This change needs the user's approval, because ${why} (${showTouches(outside)}): ${showLine(summary)}.`,
    { approval, outside },
    [
      { command: `approve ${approval}`, why: "within the hour, to review and allow it" },
      "After it is approved, call again with the same arguments.",
      stayInScope,
    ],
  );
}

export function tooManyWaiting({ summary }: Change): ForgeError {
  return refusal(
    `Too many changes are already waiting for approval, so this one was not added: ${showLine(summary)}.`,
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
