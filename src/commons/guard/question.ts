import type { Question } from "../../kernel/calls/call.ts";
import { showCarriers } from "../../kernel/text/carriers.ts";
import { visible } from "../../kernel/text/visible.ts";
import type { GuardedChange } from "./guarded-change.ts";

const maxSummary = 300;
const maxTouches = 10;

/** An assistant's text as one line with nothing hidden in it, so that the person sees what will be done. */
export function showLine(text: string): string {
  const line = showCarriers(visible(text));
  return line.length > maxSummary ? `${line.slice(0, maxSummary)}…` : line;
}

export function showTouches(touches: readonly string[]): string {
  const more = touches.length - maxTouches;
  return touches.slice(0, maxTouches).map(showLine).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `byCommand`: the person asks for it with a command, and not an assistant. */
export function confirmationQuestion(action: GuardedChange, outside: readonly string[], byCommand: boolean): Question {
  return {
    ask: "person",
    message: describeChange(action, outside, byCommand),
    schema: {
      type: "object",
      properties: { allow: { type: "boolean", title: "Allow this change", default: false } },
      required: ["allow"],
    },
  };
}

function describeChange(action: GuardedChange, outside: readonly string[], byCommand: boolean): string {
  const [what, touches] = [showLine(action.summary), showTouches(outside)];
  if (action.why === undefined)
    return (
      `Your assistant has read text written by others and now wants to: ${what}. ` +
      `This is outside what its task declares: ${touches}. Allow it this once?`
    );
  const who = byCommand ? "You are about to" : "Your assistant wants to";
  return `${who}: ${what}. You decide, because ${action.why}: ${touches}. Allow it this once?`;
}

export function isConfirmed(answer: unknown): boolean {
  if (answer === null || typeof answer !== "object" || !("action" in answer) || !("content" in answer)) return false;
  const { action, content } = answer;
  return action === "accept" && content !== null && typeof content === "object" && "allow" in content
    ? content.allow === true
    : false;
}
