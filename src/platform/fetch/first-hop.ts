import { acceptEncoding } from "./body.ts";
import type { Hop, Method, RequestOptions } from "./types.ts";

/** What a caller asked for, as the first request to send. */
export function firstHop(method: Method, url: URL, options: RequestOptions, privateOrigins: ReadonlySet<string>): Hop {
  return {
    method,
    url,
    headers: headersFor(options),
    body: bodyOf(options),
    mayBePrivate: privateOrigins.has(url.origin),
  };
}

/** Addresses as a person writes them, reduced to what is compared. */
export function originsOf(addresses: readonly string[]): ReadonlySet<string> {
  return new Set(addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin));
}

function headersFor({ headers = {}, token, json, idempotencyKey }: RequestOptions): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    "user-agent": "forge",
    accept: json === undefined ? "*/*" : "application/json",
    ...(json !== undefined && { "content-type": "application/json" }),
    ...Object.fromEntries(given),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    "accept-encoding": acceptEncoding,
  };
}

function bodyOf({ body, json }: RequestOptions): Uint8Array | undefined {
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return typeof body === "string" ? Buffer.from(body) : body;
}
