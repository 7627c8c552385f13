import { type ErrorBody, type ErrorCode, ForgeError } from "../../../kernel/errors.ts";

export type Status =
  | 200
  | 201
  | 202
  | 204
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

/** 4xx: another request may do. 500: not before somebody has put something right here. Above: perhaps later. */
const statuses: Record<ErrorCode, Status> = {
  AGENT_NOT_FOUND: 404,
  AUTH_FAILED: 401,
  AUTH_REQUIRED: 401,
  CANCELLED: 503,
  CONFIG_ERROR: 500,
  CONFLICT_ERROR: 409,
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
 * The status for an error. A revision that has moved on is 412 where the request named one in If-Match; who is to wait is
 * told so, whatever for.
 */
export function statusOf({ code, details }: ErrorBody, conditional: boolean): Status {
  if (typeof details?.["retryAfterSeconds"] === "number") return 429;
  const outdated = conditional && code === "CONFLICT_ERROR" && details?.["currentRevision"] !== undefined;
  return outdated ? 412 : statuses[code];
}

/** A refusal that HTTP has a status of its own for. */
export class HttpRefusal extends ForgeError {
  readonly status: Status;
  readonly headers: Record<string, string>;

  constructor(
    status: Status,
    error: { code: ErrorCode; message: string; details?: Record<string, unknown>; next: string },
    headers: Record<string, string> = {},
  ) {
    const { code, message, details, next } = error;
    super(code, message, { next: [next], ...(details && { details }) });
    this.status = status;
    this.headers = headers;
  }
}

export function nothingAt(path: string): ForgeError {
  return new ForgeError("NOT_FOUND", `There is nothing at ${path.slice(0, 200)}.`, {
    next: ["Look at /api/docs for what there is."],
  });
}

export function methodNotAllowed(method: string, allowed: readonly string[]): HttpRefusal {
  return new HttpRefusal(
    405,
    {
      code: "VALIDATION_ERROR",
      message: `${method.slice(0, 20)} is not possible here.`,
      details: { allowed },
      next: `Use ${allowed.join(" or ")}.`,
    },
    { allow: allowed.join(", ") },
  );
}

export function tooManyRequests(retryAfterSeconds: number): HttpRefusal {
  return new HttpRefusal(
    429,
    {
      code: "NETWORK_ERROR",
      message: "Too many requests at once; this one was not looked at.",
      details: { retryAfterSeconds },
      next: `Send it again after ${retryAfterSeconds} s.`,
    },
    { "retry-after": String(retryAfterSeconds) },
  );
}
