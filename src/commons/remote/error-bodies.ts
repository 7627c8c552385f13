import * as z from "zod";
import type { Action } from "../../kernel/action.ts";
import { errorCodes, ForgeError } from "../../kernel/errors.ts";
import { visible } from "../../kernel/visible.ts";
import type { FetchResponse } from "../../platform/fetch/response.ts";

const longest = { message: 2_000, suggestion: 500, suggestions: 10, details: 20_000 };

/** The error body of a Forge server. */
const ourBody = z.object({
  error: z.union([z.string(), z.literal(true)]).optional(),
  code: z.enum(errorCodes),
  message: z.string().min(1),
  details: z.record(z.string(), z.unknown()).optional(),
  suggestions: z.array(z.string()).optional(),
  next: z.array(z.unknown()).optional(),
});

/** What a Forge server said, kept within bounds; undefined where it was no Forge server that said it. */
export function ourError(response: FetchResponse): ForgeError | undefined {
  const parsed = ourBody.safeParse(bodyOf(response));
  if (!parsed.success) return undefined;
  const { error, code, message, details, suggestions = [], next = suggestions } = parsed.data;
  const fits = details !== undefined && JSON.stringify(details).length <= longest.details;
  return new ForgeError(code, message.slice(0, longest.message), {
    ...(fits && { details }),
    ...(typeof error === "string" && { label: error.slice(0, 100) }),
    ...(next.length > 0 && { next: next.slice(0, longest.suggestions) as Action[] }),
  });
}

const foreignBody = z.object({
  message: z.union([z.string(), z.array(z.string())]).optional(),
  error: z.string().optional(),
});

/** What another kind of server says: `{ message, error }`, the message being one text or a list of them. */
export function foreignWords(response: FetchResponse): { text?: string; error?: string } {
  const parsed = foreignBody.safeParse(bodyOf(response));
  if (!parsed.success) return {};
  const { message = [], error } = parsed.data;
  const text = [message].flat().join("; ").trim();
  return {
    ...(text !== "" && { text: `${visible(text.slice(0, longest.message)).replace(/\.$/, "")}.` }),
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
