import { problemOf } from "./destination.ts";
import { askTheOwner, failure } from "./failures.ts";
import type { Hop } from "./types.ts";

const statuses = new Set([301, 302, 303, 307, 308]);
const mostHops = 5;

/** What another origin may see of a request that was not meant for it. */
const harmless = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "if-modified-since",
  "if-none-match",
  "range",
  "user-agent",
]);

type Answered = { status: number; headers: { location?: string | undefined }; discard(): void };

/** Sends a request and, where the answer leads elsewhere, goes there under the rules below. */
export async function follow<Answer extends Answered>(
  first: Hop,
  privateOrigins: ReadonlySet<string>,
  send: (hop: Hop) => Promise<Answer>,
): Promise<{ answer: Answer; hop: Hop }> {
  let hop = first;
  for (let hops = 0; ; hops++) {
    const answer = await send(hop);
    const { location } = answer.headers;
    if (!statuses.has(answer.status) || location === undefined) return { answer, hop };
    answer.discard();
    if (hops === mostHops) {
      throw failure("redirect", first.url, `${first.url.host} redirects in circles (${mostHops} times).`, [
        askTheOwner,
      ]);
    }
    hop = nextHop(hop, answer.status, location, privateOrigins);
  }
}

/**
 * Another origin gets no token, no cookie, no header of ours that could be one, and no change: only GET and HEAD go there. A
 * private address can be redirected to only from a private one. Encryption is never given up.
 */
function nextHop(hop: Hop, status: number, location: string, privateOrigins: ReadonlySet<string>): Hop {
  const url = URL.canParse(location, hop.url.href) ? new URL(location, hop.url) : undefined;
  const wrong = url ? problemOf(url) : "it is no address";
  if (!url || wrong) throw refused(hop, `where it leads cannot be used (${wrong})`);
  if (hop.url.protocol === "https:" && url.protocol === "http:") {
    throw refused(hop, "it leads from an encrypted connection to an open one");
  }
  const asked = becomesGet(hop, status) ? withoutBody(hop) : hop;
  if (url.origin === hop.url.origin) return { ...asked, url };
  if (asked.method !== "GET" && asked.method !== "HEAD") {
    throw refused(hop, `a ${asked.method} is not sent on to another host (${url.host})`);
  }
  return {
    ...asked,
    url,
    headers: Object.fromEntries(Object.entries(asked.headers).filter(([name]) => harmless.has(name))),
    mayBePrivate: hop.mayBePrivate && privateOrigins.has(url.origin),
  };
}

function becomesGet({ method }: Hop, status: number): boolean {
  if (status === 303) return method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function withoutBody(hop: Hop): Hop {
  const kept = Object.entries(hop.headers).filter(
    ([name]) => !name.startsWith("content-") && name !== "idempotency-key",
  );
  return { ...hop, method: "GET", body: undefined, headers: Object.fromEntries(kept) };
}

function refused({ url }: Hop, why: string) {
  return failure("redirect", url, `${url.host} answered with a redirect that was not followed: ${why}.`, [
    "Use the address it leads to, if you know and trust it.",
  ]);
}
