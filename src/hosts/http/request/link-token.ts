import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { challengeHeader, type LinkTokens, proofHeader, proveLink } from "../../../platform/secrets/link-token.ts";

const cookieDays = 30;
const maxTokenLength = 200;

/** Takes the token out of the link and exchanges it for the cookie. A fragment is never sent to any server. */
const script = `
const token = location.hash.slice(1);
history.replaceState(null, "", "/");
fetch("/link", { method: "POST", body: token }).then((response) => {
  if (response.ok) location.reload();
  else document.getElementById("said").textContent = "This link is not valid here. Open the link that forge up printed.";
});
`;

const linkPagePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const linkPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Forge</title></head>
<body><p id="said">Open the link that <code>forge up</code> printed.</p><script>${script}</script></body></html>
`;

/**
 * Lets in who has one of the project's tokens: an assistant its bearer token, a browser the cookie that it got for the link's
 * token. Every program and every page on the machine can reach the port; the tokens are in the user's home.
 */
export function requireLink({ client, board }: LinkTokens): MiddlewareHandler {
  const cookie = cookieOf(board);
  return async (context, next) => {
    if (context.req.path === "/link" && context.req.method === "POST") return exchange(context, board, cookie);
    prove(context, board);
    if (isLetIn(context, client, cookie)) return next();
    if (isPage(context.req.path) && context.req.method === "GET") {
      context.header("content-security-policy", linkPagePolicy);
      context.header("x-content-type-options", "nosniff");
      context.header("cache-control", "no-store");
      context.header("referrer-policy", "no-referrer");
      context.header("connection", "close");
      return context.html(linkPage, 401);
    }
    return refusal();
  };
}

/** Shows who asks that this server knows the token, and at which address it was asked. */
function prove(context: Context, token: string): void {
  const challenge = context.req.header(challengeHeader);
  const socket = (context.env as { incoming?: IncomingMessage } | undefined)?.incoming?.socket;
  const { localAddress: address, localPort: port } = socket ?? {};
  if (challenge === undefined || address === undefined || port === undefined) return;
  context.header(proofHeader, proveLink(token, challenge, { address, port }));
}

/** What a person opens, and is told how to; everything else is asked for by programs. */
function isPage(path: string): boolean {
  return path === "/" || path === "/board" || path.startsWith("/board/");
}

type Cookie = { name: string; value: string };

/** Named after the project: browsers do not tell the ports of a machine apart, and each project has its own. */
function cookieOf(token: string): Cookie {
  const derive = (what: string) => createHmac("sha256", token).update(what).digest("hex");
  return { name: `forge_link_${derive("cookie name").slice(0, 8)}`, value: derive("cookie") };
}

/**
 * Whether the user's own page sends it. An assistant has a token and no cookie; where no tokens are asked for, nobody can tell
 * them apart.
 */
export function isFromPage(context: Context, hasTokens: boolean): boolean {
  return hasTokens && context.req.header("authorization") === undefined;
}

function isLetIn(context: Context, token: string, cookie: Cookie): boolean {
  const [, bearer] = /^bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
  if (bearer !== undefined) return isEqual(bearer, token);
  // For pages only: a browser sends it to every port of this machine, so another program may have seen it.
  if (context.req.path === "/mcp") return false;
  const start = `${cookie.name}=`;
  const given = (context.req.header("cookie") ?? "").split(/; */).find((part) => part.startsWith(start));
  return given !== undefined && isEqual(given.slice(start.length), cookie.value);
}

async function exchange(context: Context, token: string, { name, value }: Cookie): Promise<Response> {
  const given = await readShort(context.req.raw.body);
  if (!isEqual(given, token)) return refusal();
  const attributes = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${cookieDays * 86_400}`;
  return new Response(null, { status: 204, headers: { "set-cookie": `${name}=${value}; ${attributes}` } });
}

/** The beginning of a body: a token is short. */
async function readShort(body: ReadableStream<Uint8Array> | null): Promise<string> {
  let text = "";
  try {
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString("latin1");
      if (text.length > maxTokenLength) break;
    }
  } catch {
    // The connection was closed: nobody waits for the answer.
    return "";
  }
  return text.slice(0, maxTokenLength);
}

function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refusal(): Response {
  const message =
    "This project's token is missing or wrong. Connect again with the line that `forge up` or `forge mcp --http` prints: it has the header Authorization: Bearer TOKEN.";
  return Response.json(
    { jsonrpc: "2.0", error: { code: -32001, message } },
    // Not kept open: clients without a token could otherwise hold all connections.
    { status: 401, headers: { "www-authenticate": "Bearer", "cache-control": "no-store", connection: "close" } },
  );
}
