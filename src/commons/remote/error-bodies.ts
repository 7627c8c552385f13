import * as z from "zod";
import type { Action } from "../../kernel/action.ts";
import { type ErrorCode, errorCodes } from "../../kernel/errors.ts";
import { visible } from "../../kernel/text/visible.ts";
import type { FetchResponse } from "../../platform/fetch/response.ts";

const max = { message: 2_000, suggestion: 500, suggestions: 10, details: 20_000 };

const words = z.string().max(max.suggestion);

/** What a server says to do next. It is shown as ours, so a name can be nothing else, and a command has no other command in it. */
const action = z.union([
  words,
  z.object({
    tool: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
    input: z.record(z.string(), z.unknown()).optional(),
    why: words.optional(),
  }),
  z.object({ command: words.regex(/^[\x20-\x5f\x61-\x7e]+$/).regex(/^[^$;&|<>(){}\\]+$/), why: words.optional() }),
]);

/** The error body of a Forge server. */
const ourBody = z.object({
  error: z.union([z.string(), z.literal(true)]).optional(),
  code: z.enum(errorCodes),
  message: z.string().min(1),
  details: z.record(z.string(), z.unknown()).optional(),
  /** In words for HTTP clients; of servers that have no `next` it is all there is. */
  suggestions: z.array(z.string()).optional(),
  next: z.array(z.unknown()).optional(),
});

export type ServerError = {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
  label?: string;
  next?: Action[];
};

/** What a Forge server said, within limits; undefined where another kind of server said it. */
export function readForgeError(response: FetchResponse): ServerError | undefined {
  const parsed = ourBody.safeParse(bodyOf(response));
  if (!parsed.success) return undefined;
  const { error, code, message, details, suggestions = [], next = suggestions } = parsed.data;
  const fits = details !== undefined && JSON.stringify(details).length <= max.details;
  return {
    code,
    message: message.slice(0, max.message),
    ...(fits && { details }),
    ...(typeof error === "string" && { label: error.slice(0, 100) }),
    ...(next.length > 0 && { next: next.slice(0, max.suggestions).flatMap(readAction) }),
  };
}

/** None where it is not an action: a newer server may know others. */
function readAction(given: unknown): Action[] {
  const text = typeof given === "string" ? given.slice(0, max.suggestion) : given;
  const parsed = action.safeParse(text);
  if (!parsed.success || JSON.stringify(text).length > 4 * max.suggestion) return [];
  return [parsed.data];
}

const foreignBody = z.object({
  message: z.union([z.string(), z.array(z.string())]).optional(),
  error: z.string().optional(),
});

/** What another kind of server says: `{ message, error }`, the message being one text or a list of them. */
export function readForeignError(response: FetchResponse): { text?: string; error?: string } {
  const parsed = foreignBody.safeParse(bodyOf(response));
  if (!parsed.success) return {};
  const { message = [], error } = parsed.data;
  const text = [message].flat().join("; ").trim();
  return {
    ...(text !== "" && { text: `${visible(text.slice(0, max.message)).replace(/\.$/, "")}.` }),
    ...(error !== undefined && { error: visible(error.slice(0, 100)) }),
  };
}

function bodyOf(response: FetchResponse): unknown {
  try {
    return response.json();
  } catch {
    return undefined;
  }
}
