import type { Question } from "../../kernel/calls/call.ts";
import { isRecord } from "../../kernel/json.ts";
import { showCarriers } from "../../kernel/text/carriers.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import { visible } from "../../kernel/text/visible.ts";
import type { GuardedChange } from "./guarded-change.ts";

const maxSummary = 300;
const maxTouches = 10;
const maxQuotedName = 60;
const maxValueLength = 1_000;
const secretField = /^(?:token|secret|password)$/i;
/**
 * It knows secrets by their form. Each part of a question is cleaned by itself: in the whole, what looks like a secret in one could
 * reach over the others and take them along.
 */
const redactor = new Redactor();
/** A longer question is not put in a client: what a person allows must be shown whole. */
const maxQuestion = 8_000;
/** What waits for `forge approve` is shown whole, too: more than any tool's fields come to when each is shortened. */
export const maxWaitingQuestion = 100_000;

/** An assistant's text as one line with nothing hidden in it, so that the person sees what will be done. */
function showWhole(text: string): string {
  return showCarriers(visible(redactor.text(text)));
}

/** What is done, with what was given for it: `Publish a plugin (folder: "plug", registry: "acme")`. */
export function sayWith(what: string, given: unknown): string {
  const fields = isRecord(given) ? Object.entries(given) : [];
  const said = fields.flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`${name}: ${secretField.test(name) ? "not shown" : sayValue(value)}`];
  });
  return said.length > 0 ? `${what} (${said.join(", ")})` : what;
}

function sayValue(value: unknown): string {
  const text = redactor.text(JSON.stringify(redactor.value(value)));
  const more = text.length - maxValueLength;
  return more > 0 ? `${text.slice(0, maxValueLength)}… and ${more} more characters` : text;
}

/** What an approval permits that lasts, as a part of a sentence. */
export const withoutAsking = "from then on without asking";

/** What work that a person has taken over may change. */
export const anyFile = `any file but protected ones ${withoutAsking}`;

/** The same, shortened, for lists and errors. */
export function showLine(text: string, max = maxSummary): string {
  const line = showWhole(text);
  return line.length > max ? `${line.slice(0, max)}…` : line;
}

export function showTouches(touches: readonly string[]): string {
  const more = touches.length - maxTouches;
  return (
    touches
      .slice(0, maxTouches)
      .map((touched) => showLine(touched))
      .join(", ") + (more > 0 ? ` and ${more} more` : "")
  );
}

/** A name that others may have chosen, as a part of a sentence: it cannot end its quotes, nor push the rest out of sight. */
export function quoteName(name: string): string {
  const line = showWhole(name).replaceAll('"', "'");
  return `"${line.length > maxQuotedName ? `${line.slice(0, maxQuotedName)}…` : line}"`;
}

/** `byCommand`: the person asks for it with a command, and not an assistant. Undefined if it is too long to be read. */
export function confirmationQuestion(
  action: GuardedChange,
  outside: readonly string[],
  byCommand: boolean,
): Question | undefined {
  const message = describeChange(action, outside, byCommand);
  if (message.length > maxQuestion) return undefined;
  return {
    ask: "person",
    message,
    schema: {
      type: "object",
      properties: { allow: { type: "boolean", title: "Allow this change", default: false } },
      required: ["allow"],
    },
  };
}

function describeChange(action: GuardedChange, outside: readonly string[], byCommand: boolean): string {
  const [what, touches] = [showWhole(action.summary), outside.map(showWhole).join(", ")];
  const allow = action.lasts ? "Allow it?" : "Allow it this once?";
  if (action.why === undefined)
    return (
      `Your assistant has read text written by others and now wants to: ${what}. ` +
      `This is outside what its task declares: ${touches}. ${allow}`
    );
  const who = byCommand ? "You are about to" : "Your assistant wants to";
  return `${who}: ${what}. You decide, because ${action.why}: ${touches}. ${allow}`;
}

export function isConfirmed(answer: unknown): boolean {
  if (answer === null || typeof answer !== "object" || !("action" in answer) || !("content" in answer)) return false;
  const { action, content } = answer;
  return action === "accept" && content !== null && typeof content === "object" && "allow" in content
    ? content.allow === true
    : false;
}
