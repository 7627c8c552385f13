import { ForgeError } from "../../kernel/errors.ts";
import type { Action } from "./action.ts";
import { shown, shownList } from "./question.ts";

const stayInside = "Keep to what the task declares; a change inside it needs no confirmation.";

function refusal(message: string, details: Record<string, unknown>, next: string[]): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${message} Nothing was changed.`, { details, next });
}

export function notConfirmed({ summary }: Action, outside: string[]): ForgeError {
  return refusal(`The person did not allow this change: ${shown(summary)}.`, { outside }, [stayInside]);
}

export function denied({ summary }: Action, approval: string): ForgeError {
  return refusal(`A person has said no to this change: ${shown(summary)}.`, { approval }, [stayInside]);
}

export function waitsForPerson({ summary }: Action, outside: string[], approval: string): ForgeError {
  return refusal(
    `This change needs a person's word, because text that others wrote was read before and it is outside what the task declares (${shownList(outside)}): ${shown(summary)}.`,
    { approval, outside },
    [
      `A person can look at it and allow it within the hour: \`forge approve ${approval}\` in a terminal. Then call again with the same arguments.`,
      stayInside,
    ],
  );
}

export function tooManyWaiting({ summary }: Action): ForgeError {
  return refusal(`Too many changes wait for a person already, so this one was not added: ${shown(summary)}.`, {}, [
    "A person can go through them: `forge approve` in a terminal.",
    stayInside,
  ]);
}
