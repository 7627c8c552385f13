import { isTemporary } from "./failures.ts";
import type { FetchResponse } from "./response.ts";
import type { Method, RequestOptions } from "./types.ts";

const idempotent = new Set<Method>(["GET", "HEAD", "PUT", "DELETE"]);
const temporaryStatuses = new Set([429, 502, 503, 504]);
const backOff = { firstMs: 250, maxMs: 8_000 };

/** Whether sending it twice does what sending it once does. */
export function isRepeatable(method: Method, { idempotencyKey }: RequestOptions): boolean {
  return idempotent.has(method) || idempotencyKey !== undefined;
}

export type Outcome = { response: FetchResponse } | { error: unknown };

/** How long to wait before another attempt; undefined where there is nothing to be gained by one. */
export function retryDelayMs(outcome: Outcome, attempt: number): number | undefined {
  const jitter = Math.random() * Math.min(backOff.maxMs, backOff.firstMs * 2 ** (attempt - 1));
  if ("error" in outcome) return isTemporary(outcome.error) ? jitter : undefined;
  const { status, headers } = outcome.response;
  if (!temporaryStatuses.has(status)) return undefined;
  return (retryAfterMs(headers["retry-after"]) ?? 0) + jitter;
}

/** Seconds, or a date. */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
