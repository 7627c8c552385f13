import { isIP } from "node:net";
import type { Context, MiddlewareHandler } from "hono";
import { ForgeError } from "../../../kernel/errors.ts";

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Only this machine's own programs and pages may call: a page from elsewhere, or a name that was made to point at loopback
 * (DNS rebinding), is refused. Programs send no Origin; browsers always do where it matters.
 */
export const loopbackOnly: MiddlewareHandler = async (context, next) => {
  const host = hostOf(context)?.hostname;
  if (!host || !loopbackNames.has(host)) return refuse("Host", context.req.header("host"));
  const origin = context.req.header("origin");
  if (origin !== undefined) {
    const from = plainUrl(origin)?.hostname;
    if (!from || !loopbackNames.has(from)) return refuse("Origin", origin);
  }
  await next();
};

export type Gate = {
  /** Names the server may be called by, beside loopback's. */
  hosts: ReadonlySet<string>;
  /** Also by any address: only a name can be made to point at somebody else's machine. */
  anyAddress: boolean;
  /** Pages that may call: the server's own origin and those that were allowed to. */
  origins: ReadonlySet<string>;
};

const mostKnownHosts = 100;

/** The same for a team's server, which has names of its own and may be called by pages that it was told of. */
export function onlyThrough(gate: () => Gate): MiddlewareHandler {
  /** Host headers that were found good: nearly every request has the same. */
  const good = new Set<string>();
  return async (context, next) => {
    const header = context.req.header("host") ?? "";
    if (!good.has(header)) {
      if (!isNameOf(gate(), hostOf(context))) throw forbidden("Host", header);
      if (good.size < mostKnownHosts) good.add(header);
    }
    const origin = context.req.header("origin");
    if (origin !== undefined) {
      const isOwn = gate().origins.has(origin) || isByAddress(hostOf(context), origin);
      if (!isOwn && !isOwnForm(context, origin)) throw forbidden("Origin", origin);
    }
    await next();
  };
}

/** A page that the server gave out where it listens; by its name it has one origin only, its public one. */
function isByAddress(host: URL | undefined, origin: string): boolean {
  return host !== undefined && origin === host.origin && (loopbackNames.has(host.hostname) || isAddress(host.hostname));
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/[[\]]/g, "")) > 0;
}

function isNameOf({ hosts, anyAddress }: Gate, host: URL | undefined): boolean {
  if (!host) return false;
  const { hostname } = host;
  return loopbackNames.has(hostname) || hosts.has(hostname) || (anyAddress && isAddress(hostname));
}

/**
 * A browser names no origin for a form of a page that asks it to keep its address to itself, as ours do. What such a form
 * may do is decided by the token in it; where the browser says that it comes from another site, it is refused here.
 */
function isOwnForm(context: Context, origin: string): boolean {
  const isPage = !context.req.path.startsWith("/api/");
  const site = context.req.header("sec-fetch-site") ?? "same-origin";
  return isPage && origin === "null" && (site === "same-origin" || site === "none");
}

function hostOf(context: Context): URL | undefined {
  return plainUrl(`http://${context.req.header("host") ?? ""}`);
}

/** An http(s) URL that is nothing but scheme, host and port. */
function plainUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain =
    (url.pathname === "/" || url.pathname === "") && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && (url.protocol === "http:" || url.protocol === "https:") ? url : undefined;
}

function refuse(header: string, value: string | undefined): Response {
  const message = `Forbidden: the ${header} header "${(value ?? "").slice(0, 100)}" is not this machine. Use http://127.0.0.1 or http://localhost.`;
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message } }, { status: 403 });
}

function forbidden(header: string, value: string | undefined): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `The ${header} header "${(value ?? "").slice(0, 100)}" is not one that this server answers to.`,
    { next: ["Use the server's public address; whoever runs it sets that with --public-url."] },
  );
}
