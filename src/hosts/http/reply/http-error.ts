import type { Action } from "../../../kernel/action.ts";
import { type ErrorBody, type ErrorCode, ForgeError } from "../../../kernel/errors.ts";

export type Status =
  | 200
  | 201
  | 202
  | 204
  | 206
  | 304
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 412
  | 413
  | 415
  | 429
  | 500
  | 502
  | 503
  | 504;

/** 4xx: another request may succeed. 500: not before something is fixed on the server. Above: perhaps later. */
const statuses: Record<ErrorCode, Status> = {
  AGENT_NOT_FOUND: 404,
  AUTH_FAILED: 401,
  AUTH_REQUIRED: 401,
  CANCELLED: 503,
  CONFIG_ERROR: 500,
  CONFLICT_ERROR: 409,
  CONTRACT_NOT_FOUND: 404,
  DEPENDENCY_ERROR: 500,
  INTEGRITY_ERROR: 500,
  INTERNAL_ERROR: 500,
  NETWORK_ERROR: 502,
  NOT_FOUND: 404,
  PERMISSION_DENIED: 403,
  PLUGIN_NOT_FOUND: 404,
  STORE_ERROR: 503,
  TIMEOUT: 504,
  TOOL_NOT_FOUND: 404,
  TRUST_REQUIRED: 403,
  VALIDATION_ERROR: 400,
};

/**
 * The status for an error. An outdated revision is 412 if the request has an If-Match. An error that says how long to wait is
 * 429, whatever its code.
 */
export function statusOf({ code, details }: ErrorBody, conditional: boolean): Status {
  if (typeof details?.["retryAfterSeconds"] === "number") return 429;
  const outdated = conditional && code === "CONFLICT_ERROR" && details?.["currentRevision"] !== undefined;
  return outdated ? 412 : statuses[code];
}

/** An error with an HTTP status of its own. */
export class HttpError extends ForgeError {
  readonly status: Status;
  readonly headers: Record<string, string>;

  constructor(
    status: Status,
    error: { code: ErrorCode; message: string; details?: Record<string, unknown>; next: readonly Action[] },
    headers: Record<string, string> = {},
  ) {
    const { code, message, details, next } = error;
    super(code, message, { next, ...(details && { details }) });
    this.status = status;
    this.headers = headers;
  }
}

export function notFoundAt(path: string): ForgeError {
  return new ForgeError("NOT_FOUND", `${path.slice(0, 200)} not found.`, {
    next: ["See /api/docs for all routes."],
  });
}

export function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  return new HttpError(
    405,
    {
      code: "VALIDATION_ERROR",
      message: `${method.slice(0, 20)} is not allowed here.`,
      details: { allowed },
      next: [`Use ${allowed.join(" or ")}.`],
    },
    { allow: allowed.join(", ") },
  );
}

export function tooManyRequests(retryAfterSeconds: number): HttpError {
  return new HttpError(
    429,
    {
      code: "NETWORK_ERROR",
      message: "Too many requests; this one was not processed.",
      details: { retryAfterSeconds },
      next: [`Send it again after ${retryAfterSeconds} s.`],
    },
    { "retry-after": String(retryAfterSeconds) },
  );
}
