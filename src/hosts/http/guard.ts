import type { MiddlewareHandler } from "hono";

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Only this machine's own programs and pages may call: a page from elsewhere, or a name that was made to point at loopback
 * (DNS rebinding), is refused. Programs send no Origin; browsers always do where it matters.
 */
export const loopbackOnly: MiddlewareHandler = async (context, next) => {
  const host = hostnameOf(`http://${context.req.header("host") ?? ""}`);
  if (!host || !loopbackNames.has(host)) return refuse("Host", context.req.header("host"));
  const origin = context.req.header("origin");
  if (origin !== undefined) {
    const from = hostnameOf(origin);
    if (!from || !loopbackNames.has(from)) return refuse("Origin", origin);
  }
  await next();
};

/** The host of an http(s) URL that is nothing but scheme, host and port. */
function hostnameOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain =
    (url.pathname === "/" || url.pathname === "") && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && (url.protocol === "http:" || url.protocol === "https:") ? url.hostname : undefined;
}

function refuse(header: string, value: string | undefined): Response {
  const message = `Forbidden: the ${header} header "${(value ?? "").slice(0, 100)}" is not this machine. Use http://127.0.0.1 or http://localhost.`;
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message } }, { status: 403 });
}
