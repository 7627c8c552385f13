import type { Question } from "../../kernel/calls/call.ts";
import { visible } from "../../kernel/text/visible.ts";
import type { GuardedChange } from "./guarded-change.ts";

const maxSummary = 300;
const maxTouches = 10;

/** An assistant's text as one line with nothing hidden in it, so that the person sees what will be done. */
export function showLine(text: string): string {
  const line = visible(text);
  return line.length > maxSummary ? `${line.slice(0, maxSummary)}…` : line;
}

export function showTouches(touches: readonly string[]): string {
  const more = touches.length - maxTouches;
  return touches.slice(0, maxTouches).map(showLine).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

export function confirmationQuestion(action: GuardedChange, outside: readonly string[]): Question {
  return {
    ask: "person",
    message:
      action.why === undefined
        ? `Your assistant has read text written by others and now wants to: ${showLine(action.summary)}. ` +
          `This is outside what its task declares: ${showTouches(outside)}. Allow it this once?`
        : `Your assistant wants to: ${showLine(action.summary)}. ` +
          `You decide, because ${action.why}: ${showTouches(outside)}. Allow it this once?`,
    schema: {
      type: "object",
      properties: { allow: { type: "boolean", title: "Allow this change", default: false } },
      required: ["allow"],
    },
  };
}

export function isConfirmed(answer: unknown): boolean {
  if (answer === null || typeof answer !== "object" || !("action" in answer) || !("content" in answer)) return false;
  const { action, content } = answer;
  return action === "accept" && content !== null && typeof content === "object" && "allow" in content
    ? content.allow === true
    : false;
}
