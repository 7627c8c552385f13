import { isIP } from "node:net";
import type { Context, MiddlewareHandler } from "hono";
import { ForgeError } from "../../../kernel/errors.ts";
import { headerOf } from "./header-of.ts";

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Only programs on this machine and our own page may call: a page of another site or port, or a name that was made to point at loopback (DNS
 * rebinding), is refused. Programs send no Origin; browsers always do where it matters.
 */
export const requireLoopback: MiddlewareHandler = async (context, next) => {
  const host = hostOf(context)?.hostname;
  if (!host || !loopbackNames.has(host)) return refuseHeader("Host", headerOf(context, "host"));
  const origin = headerOf(context, "origin");
  if (origin !== undefined) {
    // A page on another port of this machine is another site.
    if (plainUrl(origin)?.origin !== hostOf(context)?.origin) return refuseHeader("Origin", origin);
  } else if (isEmbedded(context)) return refuse(`${embedding} Open the address in a tab of its own.`);
  await next();
};

export type HostRules = {
  /** Names of the server, besides loopback. */
  hosts: ReadonlySet<string>;
  /** Any address is accepted too: only a name can be made to point at another machine. */
  anyAddress: boolean;
  /** Pages that may call: those of the server's own origin, and of allowed origins. */
  origins: ReadonlySet<string>;
};

const maxKnownHosts = 100;

/** The same for a team's server, which has names of its own, and origins that may call it. */
export function requireKnownHost(gate: () => HostRules): MiddlewareHandler {
  /** Host headers that were accepted: nearly every request has the same. */
  const good = new Set<string>();
  return async (context, next) => {
    const header = headerOf(context, "host") ?? "";
    if (!good.has(header)) {
      if (!isNameOf(gate(), hostOf(context))) throw forbidden("Host", header);
      if (good.size < maxKnownHosts) good.add(header);
    }
    const origin = headerOf(context, "origin");
    if (origin === undefined) {
      if (isEmbedded(context)) throw embeddingRefused();
    } else {
      const isOwn = gate().origins.has(origin) || isByAddress(hostOf(context), origin);
      if (!isOwn && !isOwnForm(context, origin)) throw forbidden("Origin", origin);
    }
    await next();
  };
}

/**
 * Whether a page of another site has this loaded as a part of it. It sees nothing of the answer, but limits would count what it has
 * its visitors' browsers ask for as theirs. Links that people follow load a whole page.
 */
function isEmbedded(context: Context): boolean {
  const site = headerOf(context, "sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return (headerOf(context, "sec-fetch-dest") ?? "document") !== "document";
}

/** A page that was opened by the address that the server listens on; by name it has one origin, the public one. */
function isByAddress(host: URL | undefined, origin: string): boolean {
  return host !== undefined && origin === host.origin && (loopbackNames.has(host.hostname) || isAddress(host.hostname));
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/[[\]]/g, "")) > 0;
}

function isNameOf({ hosts, anyAddress }: HostRules, host: URL | undefined): boolean {
  if (!host) return false;
  const { hostname } = host;
  return loopbackNames.has(hostname) || hosts.has(hostname) || (anyAddress && isAddress(hostname));
}

/**
 * A browser sends no origin with a form of a page that has a no-referrer policy, as ours do. What such a form may do is
 * decided by the token in it; if the browser says that it comes from another site, it is refused here.
 */
function isOwnForm(context: Context, origin: string): boolean {
  const isPage = !context.req.path.startsWith("/api/");
  const site = headerOf(context, "sec-fetch-site") ?? "same-origin";
  return isPage && origin === "null" && (site === "same-origin" || site === "none");
}

function hostOf(context: Context): URL | undefined {
  return plainUrl(`http://${headerOf(context, "host") ?? ""}`);
}

/** An http(s) URL that is nothing but scheme, host and port. */
export function plainUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url : undefined;
}

function refuseHeader(header: string, value: string | undefined): Response {
  return refuse(
    `the ${header} header "${(value ?? "").slice(0, 100)}" is not this machine. Use http://127.0.0.1 or http://localhost.`,
  );
}

function refuse(why: string): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: -32000, message: `Forbidden: ${why}` } },
    { status: 403, headers: { connection: "close" } },
  );
}

function forbidden(header: string, value: string | undefined): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `The ${header} header "${(value ?? "").slice(0, 100)}" is not allowed by this server.`,
    { next: ["Use the server's public address, which its administrator sets with --public-url."] },
  );
}

const embedding = "Pages of other sites cannot load parts of this server.";

function embeddingRefused(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", embedding, {
    next: ["Open the address in a tab of its own."],
  });
}
