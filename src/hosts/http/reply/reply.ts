import type { ActionFormatter } from "../../../kernel/action.ts";
import type { Outcome } from "../../../kernel/calls/invoke.ts";
import type { RouteAnswer } from "../../../kernel/calls/serve-route.ts";
import type { Route } from "../../../kernel/definitions/route.ts";
import { type ErrorBody, type ForgeError, wireErrorWithActions } from "../../../kernel/errors.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { etagOf } from "../request/if-match.ts";
import { HttpError, type Status, statusOf } from "./http-error.ts";

/** An answer that can be kept and given again. */
export type Reply = {
  status: Status;
  headers: Record<string, string>;
  text: string | undefined;
  /** In place of text. */
  bytes?: Uint8Array;
};

const json = { "content-type": "application/json; charset=utf-8" };

export function replyTo<Services>(route: Route<Services>, outcome: Outcome<RouteAnswer>, context: ErrorContext): Reply {
  if (outcome.kind === "error") return errorReply(outcome.body, context);
  if (outcome.kind === "asked") throw new Error(`${route.path} asks questions, which HTTP cannot.`);
  const { text, file, revision } = outcome.value;
  const etag = revision !== undefined && { etag: etagOf(revision) };
  if (route.status === 204) return { status: 204, headers: { ...etag }, text: undefined };
  const status = route.status ?? 200;
  if (file && "bytes" in file)
    return {
      status,
      headers: { etag: `"${file.tag}"`, "accept-ranges": "bytes", ...fileHeaders(file) },
      text: undefined,
      bytes: file.bytes,
    };
  if (file) return { status, headers: { ...etag, ...fileHeaders(file) }, text: file.text };
  return { status, headers: { ...etag, ...json }, text: text() };
}

/** For what was refused before the route ran. */
export function refusalReply(error: ForgeError, redactor: Redactor, word: ActionFormatter): Reply {
  return errorReply(redactor.value(error.toBody()), {
    refusal: error instanceof HttpError ? error : undefined,
    word,
  });
}

type ErrorContext = {
  /** Has a status and headers of its own. */
  refusal?: HttpError | undefined;
  /** The request had an If-Match. */
  conditional?: boolean;
  word: ActionFormatter;
};

export function errorReply(body: ErrorBody, { refusal, conditional = false, word }: ErrorContext): Reply {
  const scope = body.code === "PERMISSION_DENIED" ? body.details?.["scope"] : undefined;
  const challenge = typeof scope === "string" && {
    "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
  };
  const seconds = body.details?.["retryAfterSeconds"];
  const later = typeof seconds === "number" && { "retry-after": String(seconds) };
  const headers = { ...json, ...challenge, ...later, ...refusal?.headers };
  return {
    status: refusal?.status ?? statusOf(body, conditional),
    headers,
    text: JSON.stringify(wireErrorWithActions(body, word)),
  };
}

/** Every 401 says how to sign in. */
export function withWwwAuthenticate(reply: Reply, challenge: () => string): Reply {
  if (reply.status !== 401 || reply.headers["www-authenticate"] !== undefined) return reply;
  return { ...reply, headers: { ...reply.headers, "www-authenticate": challenge() } };
}

/** With plain headers, which reach the socket as they are; Hono's own way takes them through two other forms. */
export function toResponse(
  { status, headers, text, bytes }: Reply,
  others: Record<string, string> = {},
  id?: string,
): Response {
  const all = id === undefined ? { ...others, ...headers } : { ...others, "x-request-id": id, ...headers };
  const body = status === 204 || status === 304 ? null : (copyOf(bytes) ?? text ?? null);
  return new Response(body, { status, headers: all });
}

/** In a buffer of its own, as a response takes it. */
function copyOf(bytes: Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined {
  return bytes && new Uint8Array(bytes);
}

/** A name without anything that a header, a shell or a file system would read as more than a name. */
function fileHeaders({ filename, mediaType }: NonNullable<RouteAnswer["file"]>): Record<string, string> {
  const name =
    filename
      .replace(/[^\w.-]/g, "_")
      .replace(/^\.+/, "_")
      .slice(0, 150) || "file";
  return { "content-type": mediaType, "content-disposition": `attachment; filename="${name}"` };
}
