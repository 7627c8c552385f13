import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ForgeError } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Fetcher } from "../../platform/fetch/fetcher.ts";
import type { FetchResponse } from "../../platform/fetch/response.ts";
import type { Method } from "../../platform/fetch/types.ts";
import type { ServerAddress } from "./address.ts";
import { errorFromResponse, explainNoAnswer, type RequestContext, wrongContentType } from "./errors.ts";
import type { Credentials, Identity } from "./login/credentials.ts";
import { type ApiPath, type Query, queryText } from "./path.ts";
import { retryAfterMs } from "./retry-after.ts";

export type RemoteRequest = {
  query?: Query;
  body?: unknown;
  /** The revision that a change was made for. */
  ifMatch?: number | undefined;
  /** For whom: the server is told the assistant and its connection, or that a person gives the command. */
  by?: Pick<Principal, "agent" | "instance" | "atKeyboard"> | undefined;
  /** The caller may be sending what others told it to write. */
  foreign?: boolean | undefined;
  /** The server does not know idempotency keys, so that a write must not be sent twice. */
  withoutKey?: boolean;
  /** Nobody waits for it: it is not repeated, and errors do not mention a change. */
  aside?: boolean;
  signal?: AbortSignal | undefined;
};

export type RemoteServerOptions = {
  address: ServerAddress;
  credentials: Credentials;
  fetcher: Pick<Fetcher, "request" | "stream">;
  /** Waits before a repetition. */
  pause?(ms: number, signal: AbortSignal | undefined): Promise<unknown>;
};

const limits = { requestMs: 30_000, wholeMs: 60_000, bytes: 10 * 1_048_576 };
const [defaultWaitMs, maxWaitMs] = [1_000, 10_000];
const afterFailureMs = 2_000;
/** A connection that was kept open may just have been closed by the server: a moment is enough. */
const afterCutOffMs = 200;

/** A Forge server as one user's client sees it. Every failure of a request is a ForgeError. */
export class RemoteServer {
  readonly address: ServerAddress;
  readonly #credentials: Credentials;
  readonly #fetcher: Pick<Fetcher, "request" | "stream">;
  readonly #pause: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

  constructor({ address, credentials, fetcher, pause }: RemoteServerOptions) {
    this.address = address;
    this.#credentials = credentials;
    this.#fetcher = fetcher;
    this.#pause = pause ?? ((ms, signal) => sleep(ms, undefined, signal && { signal }));
  }

  /** Who the requests are from, as far as it is known without asking the server. */
  identity(): Promise<Identity> {
    return this.#credentials.current();
  }

  /** The parsed answer; undefined where it is empty on purpose. */
  async request(method: Method, path: ApiPath, request: RemoteRequest = {}): Promise<unknown> {
    const writes = method !== "GET" && method !== "HEAD";
    const asked = { address: this.address, writes: writes && !request.aside };
    const response = await this.#sendWithRetries(method, path, request, asked, writes);
    return valueIn(response, asked);
  }

  /** The chunks of an answer that goes on until the signal ends it or the server does. */
  async stream(path: ApiPath, { query = {}, by, headers = {}, signal, idleMs }: StreamRequest) {
    const asked = { address: this.address, writes: false };
    const url = `${this.address.api}${path}${queryText(query)}`;
    const open = async (identity: Identity) => {
      const options = { headers: { ...headersFor(identity, by), ...headers }, token: identity.token };
      try {
        return await this.#fetcher.stream(url, { ...options, signal, idleMs, allowPrivate: [this.address.origin] });
      } catch (error) {
        throw explainNoAnswer(error, asked);
      }
    };
    const identity = await this.#credentials.current();
    let answer = await open(identity);
    if (answer.status === 401) {
      answer.discard();
      answer = await open(await this.#credentials.renew(identity.token));
      if (answer.status === 401) {
        answer.discard();
        throw this.#credentials.refusal();
      }
    }
    if (answer.status === 200) return answer.chunks();
    throw errorFromResponse(await answer.whole(), asked);
  }

  /** Sends it, and once more each for an expired token, a temporary failure and a request to wait. */
  async #sendWithRetries(
    method: Method,
    path: ApiPath,
    request: RemoteRequest,
    asked: RequestContext,
    writes: boolean,
  ): Promise<FetchResponse> {
    const key = writes && !request.withoutKey ? randomUUID() : undefined;
    const deadline = performance.now() + limits.wholeMs;
    const used = new Set<RetryReason>();
    for (;;) {
      const identity = await this.#credentials.current();
      const outcome = await this.#send(method, path, request, { identity, key, deadline });
      const next = planRetry(outcome, { repeatable: !writes || key !== undefined, aside: request.aside ?? false });
      if (next?.again === "renewed" && used.has("renewed")) throw this.#credentials.refusal();
      if (!next || used.has(next.again)) {
        if ("error" in outcome) throw explainNoAnswer(outcome.error, asked);
        return outcome.response;
      }
      used.add(next.again);
      if (next.again === "renewed") await this.#credentials.renew(identity.token);
      else await this.#pause(next.afterMs, request.signal);
    }
  }

  async #send(
    method: Method,
    path: ApiPath,
    { query = {}, body, ifMatch, by, foreign, signal }: RemoteRequest,
    { identity, key, deadline }: { identity: Identity; key: string | undefined; deadline: number },
  ): Promise<Outcome> {
    try {
      const response = await this.#fetcher.request(method, `${this.address.api}${path}${queryText(query)}`, {
        headers: {
          ...headersFor(identity, by),
          accept: "application/json",
          ...(by && { "x-forge-foreign": foreign ? "1" : "0" }),
          ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
        },
        token: identity.token,
        ...(body !== undefined && { json: body }),
        ...(key !== undefined && { idempotencyKey: key }),
        ...(signal && { signal }),
        // Repeating is decided above, where the token may change in between.
        attempts: 1,
        timeoutMs: Math.max(1, Math.min(limits.requestMs, deadline - performance.now())),
        maxBytes: limits.bytes,
        allowPrivate: [this.address.origin],
      });
      return { response };
    } catch (error) {
      return { error };
    }
  }
}

type Outcome = { response: FetchResponse } | { error: unknown };

/** Why a request is sent once more. */
type RetryReason = "renewed" | "repeated" | "waited";

/** Why to send it again; undefined where that would not help. */
function planRetry(
  outcome: Outcome,
  { repeatable, aside }: { repeatable: boolean; aside: boolean },
): { again: RetryReason; afterMs: number } | undefined {
  if ("error" in outcome) {
    return repeatable && isCutOff(outcome.error) ? { again: "repeated", afterMs: afterCutOffMs } : undefined;
  }
  const { status, headers } = outcome.response;
  if (status === 401) return { again: "renewed", afterMs: 0 };
  if (aside) return undefined;
  if (status >= 500) return repeatable ? { again: "repeated", afterMs: afterFailureMs } : undefined;
  if (status !== 429) return undefined;
  const afterMs = retryAfterMs(headers["retry-after"]) ?? defaultWaitMs;
  return afterMs <= maxWaitMs ? { again: "waited", afterMs } : undefined;
}

type StreamRequest = {
  query?: Query;
  by?: RemoteRequest["by"];
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** A server that says nothing for so long is gone. */
  idleMs: number;
};

function valueIn(response: FetchResponse, asked: RequestContext): unknown {
  if (!response.ok) throw errorFromResponse(response, asked);
  if (response.status === 204) return undefined;
  try {
    const value = response.json();
    const type = response.headers["content-type"] ?? "nothing";
    if (/^application\/(?:[a-z0-9.-]{1,50}\+)?json\b/i.test(type)) return value;
    throw wrongContentType(type, response.status);
  } catch (error) {
    throw explainNoAnswer(error, asked);
  }
}

/** Clients choose the names of assistants: what a header cannot contain is escaped. */
function headersFor({ team }: Identity, by: RemoteRequest["by"]): Record<string, string> {
  const plain = (text: string) =>
    text
      .slice(0, 100)
      .trim()
      // A lone surrogate has no encoding.
      .replaceAll(/\p{Surrogate}/gu, "?")
      .replaceAll(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);
  return {
    ...(team !== undefined && { "x-team-id": team }),
    ...(by?.agent !== undefined && { "x-forge-agent": plain(by.agent) }),
    // Empty without a connection: otherwise the server would use the token's.
    ...(by && { "x-forge-instance": plain(by.instance ?? "") }),
    ...(by?.atKeyboard && { "x-forge-person": "1" }),
  };
}

function isCutOff(error: unknown): boolean {
  return error instanceof ForgeError && error.code === "NETWORK_ERROR" && error.details?.["reason"] === "cut-off";
}
