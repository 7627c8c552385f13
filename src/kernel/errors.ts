import type { Action, ActionFormatter } from "./action.ts";
import type { TextOrigin } from "./calls/call.ts";

/** Every way a call can fail, for all rooms. A client may switch on these; adding one is a change of the public surface. */
export const errorCodes = [
  "AGENT_NOT_FOUND",
  "AUTH_FAILED",
  "AUTH_REQUIRED",
  "CANCELLED",
  "CONFIG_ERROR",
  "CONFLICT_ERROR",
  "CONTRACT_NOT_FOUND",
  "DEPENDENCY_ERROR",
  "INTEGRITY_ERROR",
  "INTERNAL_ERROR",
  "NETWORK_ERROR",
  "NOT_FOUND",
  "PERMISSION_DENIED",
  "PLUGIN_NOT_FOUND",
  "STORE_ERROR",
  "TIMEOUT",
  "TOOL_NOT_FOUND",
  "TRUST_REQUIRED",
  "VALIDATION_ERROR",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

type ErrorOptions = {
  /** Facts a program can use: the ids, limits and names involved. */
  details?: Record<string, unknown>;
  /** What the reader can do next, most useful first. Never a destructive command. */
  next?: readonly Action[];
  /** The short text a specification fixes for the `error` field; `true` where it fixes none. */
  label?: string;
  cause?: unknown;
  /** Whose words are in it: a caller that gets them has read them. The user's own where it is not said. */
  quotes?: TextOrigin | undefined;
};

/** A failed call, before a host has worded what to do next. */
export type ErrorBody = {
  error: true | string;
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
  next?: readonly Action[];
};

/** What goes over the wire for a failed call. */
export type WireError = Omit<ErrorBody, "next"> & { suggestions?: string[] };

export function wireError({ next, ...body }: ErrorBody, word: ActionFormatter): WireError {
  return next ? { ...body, suggestions: next.map(word) } : body;
}

/** The same with the actions as data, for a client that words them for its own reader. */
export function wireErrorWithActions(body: ErrorBody, word: ActionFormatter): WireError & Pick<ErrorBody, "next"> {
  return { ...wireError(body, word), ...(body.next && { next: body.next }) };
}

/** The only error whose text reaches a caller; anything else is answered as INTERNAL_ERROR and logged. */
export class ForgeError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly next: readonly Action[] | undefined;
  readonly label: string | undefined;
  readonly quotes: TextOrigin | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "ForgeError";
    this.code = code;
    this.details = options.details;
    this.next = options.next;
    this.label = options.label;
    this.quotes = options.quotes;
  }

  toBody(): ErrorBody {
    return {
      error: this.label ?? true,
      code: this.code,
      message: this.message,
      ...(this.details && { details: this.details }),
      ...(this.next && { next: this.next }),
    };
  }
}

/** The body for anything thrown. An unexpected message may contain paths or secrets, so only its reference goes out. */
export function bodyOf(error: unknown, reference: string): ErrorBody {
  if (error instanceof ForgeError) return error.toBody();
  return new ForgeError("INTERNAL_ERROR", `Something went wrong inside Forge (reference ${reference}).`, {
    details: { reference },
    next: ["Find the reference in the server's log (stderr), and include that line when you report the problem."],
  }).toBody();
}
