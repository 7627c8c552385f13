import type { LookupAddress } from "node:dns";
import type { Log } from "../log.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export type RequestOptions = {
  /** Go to the origin that was asked for; after a redirect to another one only harmless ones go along. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** A body of JSON, instead of `body`. */
  json?: unknown;
  /** Sent as a bearer token, to the origin that was asked for and to no other. */
  token?: string;
  /** Lets the server recognise a repetition, which makes POST and PATCH safe to repeat. */
  idempotencyKey?: string;
  /** For everything together: lookups, connections, redirects, repetitions, the body. Default: 30 s. */
  timeoutMs?: number;
  /** Of the body, compressed and decompressed. Default: 10 MiB. */
  maxBytes?: number;
  /** How often to try at most, where repeating is safe. Default: 3. */
  attempts?: number;
  signal?: AbortSignal;
  /** Origins from the user's own configuration, which alone may have private addresses. Never from a project's files. */
  allowPrivate?: readonly string[];
};

/** For an answer that goes on. */
export type StreamOptions = Pick<RequestOptions, "headers" | "token" | "allowPrivate"> & {
  signal: AbortSignal;
  /** Ends it when nothing came for this long. */
  idleMs: number;
};

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** How long each stage of one attempt may take. */
export type StageLimits = { connectMs: number; headersMs: number; chunkMs: number };

export type FetcherOptions = {
  log: Log;
  /** Authorities in PEM to trust instead of the well-known ones and those of NODE_EXTRA_CA_CERTS. */
  authorities?: readonly string[];
  resolve?: Resolve;
  limits?: Partial<StageLimits>;
  /** Waits before another attempt; rejects once the signal is aborted. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
};

/** One request to one origin, ready to be sent. */
export type Hop = {
  method: Method;
  url: URL;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  /** The user has named this origin as one that may have a private address. */
  mayBePrivate: boolean;
};
