import { type Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../host/error-code.ts";
import { AttemptTimer } from "./attempt-timer.ts";
import { readBody, receiveChunks } from "./body.ts";
import { assertAllowed, guardLookup } from "./destination.ts";
import { explainFailure, failure, timeoutError, tryLater } from "./failures.ts";
import type { Hop, Resolve, StageLimits } from "./types.ts";

const maxHeaderBytes = 32 * 1024;
/** Node's own 250 ms per address is too short for far servers. */
const perAddressMs = 1_500;

export type ExchangeOptions = { agent: Agent; resolve: Resolve; limits: StageLimits; signal: AbortSignal };

/** An answer whose body is still to come. It must be read or discarded. */
export type Answer = {
  status: number;
  headers: Readonly<Record<string, string>> & { location?: string | undefined };
  read(maxBytes: number): Promise<Uint8Array>;
  /** The body as it comes, however long it goes on. */
  chunks(): AsyncGenerator<Uint8Array>;
  discard(): void;
};

/** Sends one request to one origin and waits for the head of the answer. */
export async function exchange(hop: Hop, { agent, resolve, limits, signal }: ExchangeOptions): Promise<Answer> {
  assertAllowed(hop);
  const watch = new AttemptTimer(signal);
  try {
    const message = await sendRequest(hop, { agent, resolve, limits, watch });
    watch.onStop((reason) => message.destroy(asError(reason)));
    return {
      status: message.statusCode ?? 0,
      headers: headersOf(message),
      async read(maxBytes) {
        try {
          const body = await readBody(hop, message, { watch, chunkMs: limits.chunkMs, maxBytes });
          watch.throwIfStopped();
          return body;
        } catch (error) {
          throw explainFailure(watch.reasonFor(error), hop.url);
        } finally {
          watch.end();
          if (!message.complete) message.destroy();
        }
      },
      async *chunks() {
        try {
          yield* receiveChunks(hop, message, { watch, chunkMs: limits.chunkMs });
          watch.throwIfStopped();
        } catch (error) {
          throw explainFailure(watch.reasonFor(error), hop.url);
        } finally {
          watch.end();
          message.destroy();
        }
      },
      discard() {
        watch.end();
        message.destroy();
      },
    };
  } catch (error) {
    watch.end();
    throw explainFailure(watch.reasonFor(error), hop.url);
  }
}

type SendOptions = { agent: Agent; resolve: Resolve; limits: StageLimits; watch: AttemptTimer };

function sendRequest(hop: Hop, { agent, resolve, limits, watch }: SendOptions): Promise<IncomingMessage> {
  const { url, method, headers, body } = hop;
  return new Promise((resolveMessage, reject) => {
    const request = prepare(hop, agent, resolve);
    watch.onStop((reason) => {
      reject(reason);
      request.destroy();
    });
    watch.stage(limits.connectMs, () => timeoutError(url, "did not accept a connection", limits.connectMs));
    request.on("socket", (socket) => {
      const startSending = () => watch.rest();
      if (request.reusedSocket) startSending();
      else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", startSending);
    });
    request.once("finish", () => {
      watch.stage(limits.headersMs, () => timeoutError(url, "did not start to respond", limits.headersMs));
    });
    request.once("response", (message) => {
      watch.rest();
      resolveMessage(message);
    });
    // For good: what is wrong in the middle of the answer is told here, and unheard would end the process.
    request.on("error", (error) => watch.stop(error));
    // A server that switches protocols unasked; unheard, the connection would be kept.
    request.once("upgrade", (_message, socket) => {
      socket.destroy();
      reject(failure("garbled", url, `${url.host} responded in another protocol than HTTP.`, [tryLater]));
    });
    if (body !== undefined) request.setHeader("content-length", body.length);
    else if (method !== "GET" && method !== "HEAD" && !("content-length" in headers)) {
      request.setHeader("content-length", 0);
    }
    request.end(body);
  });
}

function prepare(hop: Hop, agent: Agent, resolve: Resolve) {
  const { url, method, headers } = hop;
  const options = {
    method,
    headers: { ...headers },
    agent,
    lookup: guardLookup(resolve, hop),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: perAddressMs,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
  };
  try {
    return url.protocol === "https:" ? requestHttps(url, options) : requestHttp(url, options);
  } catch (error) {
    if (errorCode(error) !== "ERR_INVALID_CHAR" && errorCode(error) !== "ERR_INVALID_HTTP_TOKEN") throw error;
    throw new ForgeError(
      "VALIDATION_ERROR",
      "A header of the request contains characters that are not allowed in headers.",
      {
        next: ["Check the token for line breaks and other invisible characters."],
      },
    );
  }
}

function headersOf(message: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
