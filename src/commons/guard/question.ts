import type { Question } from "../../kernel/call.ts";
import { visible } from "../../kernel/visible.ts";
import type { Action } from "./action.ts";

const longestSummary = 300;
const shownTouches = 10;

/** Text of an assistant's choosing as one harmless line: what is hidden could show the person something else than is done. */
export function shown(text: string): string {
  const line = visible(text);
  return line.length > longestSummary ? `${line.slice(0, longestSummary)}…` : line;
}

export function shownList(touches: readonly string[]): string {
  const more = touches.length - shownTouches;
  return touches.slice(0, shownTouches).map(shown).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

export function confirmation(action: Action, outside: readonly string[]): Question {
  return {
    ask: "person",
    message:
      `Your assistant has read text that others wrote, and now wants to: ${shown(action.summary)}. ` +
      `This is outside what its task declares: ${shownList(outside)}. Allow it, this once?`,
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
