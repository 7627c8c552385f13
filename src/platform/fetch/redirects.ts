import { problemOf } from "./destination.ts";
import { failure, tryLater } from "./failures.ts";
import type { Hop } from "./types.ts";

const statuses = new Set([301, 302, 303, 307, 308]);
const maxHops = 5;

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

type AnswerHead = { status: number; headers: { location?: string | undefined }; discard(): void };

/** Sends a request and, where the answer leads elsewhere, goes there under the rules below. */
export async function followRedirects<Answer extends AnswerHead>(
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
    if (hops === maxHops) {
      throw failure("redirect", first.url, `${first.url.host} redirects too often (${maxHops} times).`, [tryLater]);
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
  const wrong = url ? problemOf(url) : "it is not a URL";
  if (!url || wrong) throw redirectRefused(hop, `its target cannot be used (${wrong})`);
  if (hop.url.protocol === "https:" && url.protocol === "http:") {
    throw redirectRefused(hop, "it leads from an encrypted connection to an unencrypted one");
  }
  const asked = becomesGet(hop, status) ? dropBody(hop) : hop;
  if (url.origin === hop.url.origin) return { ...asked, url };
  if (asked.method !== "GET" && asked.method !== "HEAD") {
    throw redirectRefused(hop, `a ${asked.method} is not forwarded to another host (${url.host})`);
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

function dropBody(hop: Hop): Hop {
  const kept = Object.entries(hop.headers).filter(
    ([name]) => !name.startsWith("content-") && name !== "idempotency-key",
  );
  return { ...hop, method: "GET", body: undefined, headers: Object.fromEntries(kept) };
}

function redirectRefused({ url }: Hop, why: string) {
  return failure("redirect", url, `A redirect from ${url.host} was not followed: ${why}.`, [
    "Use the address that it leads to, if you trust it.",
  ]);
}
