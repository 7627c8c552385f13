import { lookup } from "node:dns/promises";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { ForgeError } from "../../kernel/errors.ts";
import { environment } from "../host/environment.ts";
import { Connections } from "./connections.ts";
import { parseTarget } from "./destination.ts";
import { type Answer, exchange } from "./exchange.ts";
import { timeoutError } from "./failures.ts";
import { firstHop, originsOf } from "./first-hop.ts";
import { followRedirects } from "./redirects.ts";
import { FetchResponse } from "./response.ts";
import { isRepeatable, type Outcome, retryDelayMs } from "./retry.ts";
import type { FetcherOptions, Hop, Method, RequestOptions, Resolve, StageLimits, StreamOptions } from "./types.ts";

const defaults = { timeoutMs: 30_000, maxBytes: 10 * 1024 * 1024, attempts: 3 };
const stageLimits: StageLimits = { connectMs: 10_000, headersMs: 30_000, chunkMs: 15_000 };

/** What one request needs for all its attempts. */
type Plan = { hop: Hop; privateOrigins: ReadonlySet<string>; repeatable: boolean; maxBytes: number };

/** An answer that is read as it comes, in one of these ways. */
export type StreamedAnswer = Pick<Answer, "status" | "chunks" | "discard"> & { whole(): Promise<FetchResponse> };

/** The only way to the network. Any status is a response; what prevents a response is thrown as NETWORK_ERROR. */
export class Fetcher {
  readonly #connections: Connections;
  readonly #resolve: Resolve;
  readonly #limits: StageLimits;
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #closing = new AbortController();

  constructor({ log, authorities, resolve, limits, pause }: FetcherOptions) {
    this.#connections = new Connections(authorities);
    this.#resolve = resolve ?? ((hostname) => lookup(hostname, { all: true }));
    this.#limits = { ...stageLimits, ...limits };
    this.#pause = pause ?? ((ms, signal) => sleep(ms, undefined, { signal }));
    // Every request under way listens for the end; Node would warn of the eleventh.
    setMaxListeners(0, this.#closing.signal);
    if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
      log("warning", "NODE_TLS_REJECT_UNAUTHORIZED=0 is set. Forge checks certificates anyway; please unset it.");
    }
  }

  async request(method: Method, target: string | URL, options: RequestOptions = {}): Promise<FetchResponse> {
    const url = parseTarget(target);
    const privateOrigins = originsOf(options.allowPrivate ?? []);
    const plan: Plan = {
      hop: firstHop(method, url, options, privateOrigins),
      privateOrigins,
      repeatable: isRepeatable(method, options),
      maxBytes: options.maxBytes ?? defaults.maxBytes,
    };
    const timeoutMs = options.timeoutMs ?? defaults.timeoutMs;
    const attempts = plan.repeatable ? (options.attempts ?? defaults.attempts) : 1;
    return this.#within(timeoutMs, url, options.signal, (whole) =>
      this.#persist(plan, { attempts, deadline: performance.now() + timeoutMs, whole }),
    );
  }

  /** Asks for an answer that goes on, once; it ends with the signal, or after a silence. */
  async stream(target: string | URL, options: StreamOptions): Promise<StreamedAnswer> {
    const url = parseTarget(target);
    const privateOrigins = originsOf(options.allowPrivate ?? []);
    const asked = firstHop("GET", url, options, privateOrigins);
    // Packed, what is said now might be seen later.
    const first = { ...asked, headers: { ...asked.headers, "accept-encoding": "identity" } };
    const { answer, hop } = await followRedirects(first, privateOrigins, (next) =>
      exchange(next, {
        agent: this.#connections.agentFor(next, false),
        resolve: this.#resolve,
        limits: { ...this.#limits, chunkMs: options.idleMs },
        signal: AbortSignal.any([options.signal, this.#closing.signal]),
      }),
    );
    const { status, headers } = answer;
    return {
      status,
      chunks: () => answer.chunks(),
      discard: () => answer.discard(),
      whole: async () =>
        new FetchResponse({ url: hop.url, status, headers, body: await answer.read(defaults.maxBytes) }),
    };
  }

  /** Ends what is under way and closes every connection. */
  close(): void {
    this.#closing.abort();
    this.#connections.close();
  }

  /** Runs the work under one signal for the caller's abort, the total time and our own end. */
  async #within<T>(
    timeoutMs: number,
    url: URL,
    caller: AbortSignal | undefined,
    work: (whole: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const whole = new AbortController();
    const timer = setTimeout(
      () => whole.abort(timeoutError(url, "did not complete its response", timeoutMs)),
      timeoutMs,
    );
    const cancel = () => whole.abort(new ForgeError("CANCELLED", `The request to ${url.host} was cancelled.`));
    const sources = [caller, this.#closing.signal].filter((signal) => signal !== undefined);
    for (const signal of sources) signal.addEventListener("abort", cancel, { once: true });
    if (sources.some((signal) => signal.aborted)) cancel();
    try {
      return await work(whole.signal);
    } catch (error) {
      throw whole.signal.aborted ? whole.signal.reason : error;
    } finally {
      clearTimeout(timer);
      for (const signal of sources) signal.removeEventListener("abort", cancel);
    }
  }

  async #persist(
    plan: Plan,
    { attempts, deadline, whole }: { attempts: number; deadline: number; whole: AbortSignal },
  ): Promise<FetchResponse> {
    for (let attempt = 1; ; attempt++) {
      whole.throwIfAborted();
      const outcome = await this.#attempt(plan, whole);
      const wait = attempt < attempts ? retryDelayMs(outcome, attempt) : undefined;
      if (wait === undefined || whole.aborted || performance.now() + wait >= deadline) {
        if ("error" in outcome) throw outcome.error;
        return outcome.response;
      }
      await this.#pause(wait, whole);
    }
  }

  async #attempt({ hop: first, privateOrigins, repeatable, maxBytes }: Plan, whole: AbortSignal): Promise<Outcome> {
    try {
      const { answer, hop } = await followRedirects(first, privateOrigins, (next) =>
        exchange(next, {
          agent: this.#connections.agentFor(next, repeatable),
          resolve: this.#resolve,
          limits: this.#limits,
          signal: whole,
        }),
      );
      const { status, headers } = answer;
      return { response: new FetchResponse({ url: hop.url, status, headers, body: await answer.read(maxBytes) }) };
    } catch (error) {
      return { error };
    }
  }
}
