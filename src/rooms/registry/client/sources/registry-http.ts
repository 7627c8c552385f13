import { errorCodes, ForgeError } from "../../../../kernel/errors.ts";
import type { Fetcher } from "../../../../platform/fetch/fetcher.ts";
import type { FetchResponse } from "../../../../platform/fetch/response.ts";
import type { RequestOptions } from "../../../../platform/fetch/types.ts";
import { type Bucket, type Cache, type CachedAnswer, hash } from "../cache.ts";
import type { ConfiguredRegistry } from "../config/config.ts";
import { authNeeded, integrityMismatch, privateRegistry, untrustedRegistry, wrongAnswer } from "../errors.ts";
import { refusedByRegistry } from "../packages/errors.ts";
import { packageLimits } from "../packages/package-files.ts";

export type HttpOptions = {
  cache: Cache;
  fetcher: () => Promise<Fetcher>;
  tokenFor(registry: ConfiguredRegistry): string | undefined;
  /** Whether the user has trusted the project, and so the addresses in its files. */
  isTrusted(): Promise<boolean>;
};

export type Request = {
  url: string;
  signal: AbortSignal;
  bucket?: Bucket;
  /** `sha256:…` of the bytes. */
  checksum?: string | undefined;
  /** Takes what is in the cache, however old, and asks nobody. */
  onlyCached?: boolean;
  /** Asks even where the cache has a recent answer. */
  isFresh?: boolean;
};

export type Answer = { text: string; stale: boolean };

const limits = { timeoutMs: 10_000, maxBytes: 10 * 1_048_576, attempts: 2 };
const downloadMs = 120_000;
/** A registry that could not be reached is not asked again for a while: each call would wait for it. */
const downMs = 30_000;
/** No answer of a registry needs more; what is nested without end could not be passed on. */
const maxDepth = 100;

/** Requests to registries: cached, conditional, and answered from the cache where a registry cannot be reached. */
export class RegistryHttp {
  readonly #options: HttpOptions;
  readonly #down = new Map<string, { until: number; error: unknown }>();

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /** Undefined where the registry does not have it. */
  async get(registry: ConfiguredRegistry, request: Request): Promise<Answer | undefined> {
    const { bucket = "manifests", checksum, onlyCached = false, isFresh = false } = request;
    const key = `${registry.url}\n${request.url}\n${checksum ?? ""}`;
    const cached = await this.#findKept(registry, request, bucket, key);
    if (cached && (onlyCached || (!isFresh && Date.now() - cached.fetchedAt < cached.ttl * 1000)))
      return { text: cached.body, stale: onlyCached };
    if (onlyCached) return undefined;
    try {
      this.#throwIfDown(registry);
      const response = await this.#request(registry, request, cached?.etag);
      const text = this.#read(response, registry, cached, request);
      if (text === undefined) return undefined;
      const etag = response.headers["etag"];
      await this.#keep(bucket, {
        key,
        body: text,
        fetchedAt: Date.now(),
        ttl: registry.ttl,
        ...(etag !== undefined && { etag }),
      });
      return { text, stale: false };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "NETWORK_ERROR") throw error;
      if (!request.signal.aborted) this.#down.set(registry.name, { until: Date.now() + downMs, error });
      if (cached) return { text: cached.body, stale: true };
      throw error;
    }
  }

  /** A package, compared with its published hash: only what is right is kept, and what was kept is compared again. */
  async download(
    registry: ConfiguredRegistry,
    {
      url,
      integrity,
      signal,
      onlyCached,
    }: Pick<Request, "url" | "signal" | "onlyCached"> & { integrity: string | undefined },
  ): Promise<Uint8Array> {
    const { assertIntegrity } = await import("../packages/integrity.ts");
    const what = new URL(url).pathname;
    const key = `${registry.url}\n${url}\n${integrity ?? ""}`;
    const cached = await this.#readCached("downloads", key);
    if (cached) {
      const bytes = Buffer.from(cached.body, "base64");
      try {
        assertIntegrity(bytes, integrity, what);
        return bytes;
      } catch {
        await this.#options.cache.remove("downloads", key).catch(() => undefined);
      }
    }
    if (onlyCached) throw wrongAnswer(registry.name, "it cannot be asked now");
    this.#throwIfDown(registry);
    const response = await this.#request(registry, { url, signal }, undefined, {
      maxBytes: packageLimits.packedBytes,
      timeoutMs: downloadMs,
    });
    const body = response.ok ? response.bytes() : undefined;
    if (!body) throw wrongAnswer(registry.name, `it lists ${what}, but answers with status ${response.status}`);
    assertIntegrity(body, integrity, what);
    await this.#keep("downloads", {
      key,
      body: Buffer.from(body).toString("base64"),
      fetchedAt: Date.now(),
      ttl: registry.ttl,
    });
    return body;
  }

  /** Something that only the registry can do, with the user's token: never cached, never repeated by itself. */
  async send(
    registry: ConfiguredRegistry,
    { method, url, json, signal }: { method: "GET" | "POST"; url: string; json?: unknown; signal: AbortSignal },
  ): Promise<Record<string, unknown>> {
    const response = await this.#request(registry, { url, signal }, undefined, {
      method,
      timeoutMs: downloadMs,
      attempts: 1,
      ...(json !== undefined && { json }),
    });
    const answer = parseAnswer(response.text(), registry);
    if (response.ok) return answer;
    const { message, code } = answer;
    throw refusedByRegistry(
      registry.name,
      response.status,
      typeof message === "string" ? message : `status ${response.status}`,
      errorCodes.find((known) => known === code) ?? "NETWORK_ERROR",
    );
  }

  async #request(
    registry: ConfiguredRegistry,
    { url, signal }: Pick<Request, "url" | "signal">,
    etag: string | undefined,
    { method = "GET", ...more }: Partial<RequestOptions> & { method?: "GET" | "POST" } = {},
  ): Promise<FetchResponse> {
    if (registry.origin === "project" && !(await this.#options.isTrusted())) throw untrustedRegistry(registry.name);
    const own = new URL(registry.url).origin;
    const token = new URL(url).origin === own ? this.#options.tokenFor(registry) : undefined;
    const fetcher = await this.#options.fetcher();
    const asked = fetcher.request(method, url, {
      ...limits,
      ...more,
      signal,
      headers: { accept: "application/json, */*;q=0.5", ...(etag !== undefined && { "if-none-match": etag }) },
      ...(token !== undefined && { token }),
      ...(registry.origin === "user" && { allowPrivate: [own] }),
    });
    const response = await asked.catch((error: unknown) => {
      const isPrivate = error instanceof ForgeError && error.details?.["reason"] === "address";
      throw isPrivate && registry.origin === "project" ? privateRegistry(registry.name, error) : error;
    });
    // A change is also refused with 403 for other reasons, which the answer has.
    if (response.status === 401 || (response.status === 403 && method === "GET"))
      throw authNeeded(registry, response.status, token !== undefined);
    return response;
  }

  #read(
    response: FetchResponse,
    registry: ConfiguredRegistry,
    cached: CachedAnswer | undefined,
    { url, checksum }: Request,
  ): string | undefined {
    const { status } = response;
    if (status === 304 && cached) return cached.body;
    if (status === 404 || status === 410) return undefined;
    if (!response.ok) throw wrongAnswer(registry.name, `status ${status}`);
    if (checksum === undefined) return response.text();
    const actual = hash(response.bytes());
    if (!isExpected(actual, checksum)) throw integrityMismatch(new URL(url).pathname, checksum, `sha256:${actual}`);
    return exactText(response.bytes(), registry);
  }

  #throwIfDown({ name }: ConfiguredRegistry): void {
    const down = this.#down.get(name);
    if (down && Date.now() < down.until) throw down.error;
  }

  async #findKept(registry: ConfiguredRegistry, { url, checksum }: Request, bucket: Bucket, key: string) {
    const isIndex = url === registry.url && checksum === undefined;
    const kept = (await this.#readCached(bucket, key)) ?? (isIndex ? await this.#legacy(key, registry) : undefined);
    // A program that can write to the cache can also write the hash that an entry carries.
    return kept && isExpected(kept.sha256, checksum) ? kept : undefined;
  }

  /** A cache that cannot be used, or was tampered with, is as good as an empty one. */
  async #readCached(bucket: Bucket, key: string): Promise<CachedAnswer | undefined> {
    return this.#options.cache.get(bucket, key).catch(() => undefined);
  }

  async #legacy(key: string, registry: ConfiguredRegistry): Promise<CachedAnswer | undefined> {
    return this.#options.cache.importLegacy(key, registry).catch(() => undefined);
  }

  async #keep(bucket: Bucket, entry: Omit<CachedAnswer, "sha256">): Promise<void> {
    await this.#options.cache.put(bucket, entry).catch(() => undefined);
  }
}

function isExpected(sha256: string, checksum: string | undefined): boolean {
  return checksum === undefined || `sha256:${sha256}` === checksum.toLowerCase();
}

/** A text that is written again byte for byte: what is installed is what the checksum is of. */
function exactText(bytes: Uint8Array, { name }: ConfiguredRegistry): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrongAnswer(name, "a file that it lists is not UTF-8 text");
  }
}

/** Seen in the text, before anything is made of it: ten megabytes can be millions of values. */
function isNestedDeeper(json: string, max: number): boolean {
  let [depth, isText] = [0, false];
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === quoteCode) isText = !isText;
    else if (isText) at += Number(character === backslashCode);
    else if (character === bracketCode || character === braceCode) depth++;
    else if (character === bracketCode + 2 || character === braceCode + 2) depth--;
    if (depth > max) return true;
  }
  return false;
}

const [quoteCode, backslashCode, bracketCode, braceCode] = [0x22, 0x5c, 0x5b, 0x7b];

/** JSON that a registry sent, as an object. */
export function parseAnswer(text: string, registry: ConfiguredRegistry): Record<string, unknown> {
  if (isNestedDeeper(text, maxDepth)) throw wrongAnswer(registry.name, "it is nested too deeply");
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw wrongAnswer(registry.name, /^\s*</.test(text) ? "it is a web page and not JSON" : "it is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrongAnswer(registry.name, "it is not a JSON object");
  return value as Record<string, unknown>;
}
