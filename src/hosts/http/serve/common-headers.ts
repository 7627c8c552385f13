import type { MiddlewareHandler } from "hono";

const everywhere = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

const ayear = 365 * 86_400;

/** Headers of every response, unless it sets its own. */
export function commonHeaders(isHttps: boolean): Record<string, string> {
  return { ...everywhere, ...(isHttps && { "strict-transport-security": `max-age=${ayear}` }) };
}

/** Set first, so that a page can set its own. */
export function withHeaders(headers: () => Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of Object.entries(headers())) context.header(name, value);
    await next();
  };
}

/** Added last, to what does not have its own: answers that are made elsewhere know nothing of what was set before. */
export function addHeaders(headers: Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const given = context.res.headers;
    for (const [name, value] of Object.entries(headers)) if (!given.has(name)) context.header(name, value);
  };
}

const preflight = {
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
  "access-control-allow-headers":
    "authorization, content-type, idempotency-key, if-match, last-event-id, x-forge-agent, x-team-id",
  "access-control-max-age": "600",
};

/** Lets pages of these origins call, with their own token and without cookies. */
export function allowOrigins(origins: ReadonlySet<string>, always: () => Record<string, string>): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header("origin");
    if (origin === undefined || !origins.has(origin)) {
      await next();
      context.header("vary", "Origin");
      return;
    }
    const headers = {
      vary: "Origin",
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "etag, idempotency-replayed, retry-after, x-request-id",
      "cross-origin-resource-policy": "cross-origin",
    };
    if (context.req.method === "OPTIONS") return context.body(null, 204, { ...always(), ...headers, ...preflight });
    await next();
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
  };
}
