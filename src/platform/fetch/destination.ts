import { isIP, type LookupFunction } from "node:net";
import { ForgeError } from "../../kernel/errors.ts";
import { isLoopback, kindOf } from "./addresses.ts";
import { failure } from "./failures.ts";
import type { Hop, Resolve } from "./types.ts";

/** The address a caller gave, or why it cannot be one. The text itself may hold a secret and is not repeated. */
export function parseTarget(target: string | URL): URL {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined;
  const wrong = url ? problemOf(url) : "it is not a complete URL";
  if (url && !wrong) return url;
  throw new ForgeError("VALIDATION_ERROR", `The address cannot be used: ${wrong}. Expected https://host/path.`, {
    next: ["Correct the address."],
  });
}

/** What is wrong with an address wherever it came from; undefined where nothing is. */
export function problemOf(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return `${url.protocol} is neither https: nor http:`;
  if (url.username !== "" || url.password !== "")
    return "it contains a user name or password, which belong in a header";
  return undefined;
}

/** Throws if a request must not go there, as far as the URL itself tells. Names are checked when they are looked up. */
export function assertAllowed(hop: Hop): void {
  const { url } = hop;
  if (!isProtected(url)) {
    throw failure("insecure", url, `${url.host} was not contacted: http:// is allowed only for localhost.`, [
      "Use https://.",
    ]);
  }
  // Node looks up no literal, so this is their only check.
  const host = hostOf(url);
  if (isIP(host)) assertAddressAllowed(host, hop);
}

/** Whether nobody on the way can read along, as far as the address itself tells: over https, or within this machine. */
export function isProtected(url: URL): boolean {
  return url.protocol !== "http:" || isLoopbackName(hostOf(url));
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function isLoopbackName(host: string): boolean {
  return isIP(host) ? isLoopback(host) : /(?:^|\.)localhost\.?$/.test(host);
}

/**
 * Looks a name up when connecting, so that the addresses that are checked are those that are used. All of them must be
 * allowed: a name that leads both outside and inside is an attack.
 */
export function guardLookup(resolve: Resolve, hop: Hop): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        try {
          if (!first) throw Object.assign(new Error("no addresses"), { code: "ENOTFOUND" });
          for (const { address } of addresses) assertAddressAllowed(address, hop);
        } catch (error) {
          callback(error instanceof Error ? error : new Error(String(error)), "", 0);
          return;
        }
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, "", 0),
    );
  };
}

function assertAddressAllowed(address: string, { url, mayBePrivate }: Hop): void {
  const kind = kindOf(address);
  if (kind === "never") {
    throw failure("address", url, `${url.host} was not contacted: its address is reserved.`, [
      "Check the address. Metadata services and link-local, multicast and reserved addresses are never contacted.",
    ]);
  }
  if (kind === "private" && !mayBePrivate) {
    throw failure("address", url, `${url.host} was not contacted: its address is private.`, [
      `To allow it, add ${url.origin} to your own settings; a project's files or a redirect cannot allow it.`,
    ]);
  }
  if (url.protocol === "http:" && !isLoopback(address)) {
    throw failure(
      "insecure",
      url,
      `${url.host} was not contacted: it is not on this machine, and http:// is not encrypted.`,
      ["Use https://."],
    );
  }
}
