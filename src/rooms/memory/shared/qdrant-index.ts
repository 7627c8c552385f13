import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { trimSlashes } from "../../../kernel/text/trim-slashes.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import type { Method } from "../../../platform/fetch/types.ts";
import type { Log } from "../../../platform/log.ts";
import { historicId } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { type Collection, collections, type Memory } from "../model/memory.ts";
import { unpackVector, unquantize } from "../recall/packed-vector.ts";
import type { MemoryRow, MemoryStore } from "../store/memory-store.ts";
import { notQdrant, qdrantRefused, wrongVectorSize } from "./errors.ts";
import type { SharedIndex, SharedQuery } from "./shared-index.ts";

export type QdrantOptions = {
  url: string;
  key: string | undefined;
  store: MemoryStore;
  appId: string;
  log: Log;
  warn(message: string): void;
  timeoutMs?: number;
};

const envelope = z.object({ status: z.literal("ok").or(z.object({}).loose()), result: z.unknown() });
const collectionInfo = z.object({
  config: z.object({ params: z.object({ vectors: z.object({ size: z.number(), distance: z.string() }) }) }),
});
const payload = z.object({
  text: z.string().min(1),
  agent: z.string(),
  project: z.string(),
  tags: z.array(z.string()).catch([]),
  created_at: z.union([z.string(), z.number()]).optional(),
  historic_id: z.string().optional(),
});
const hits = z.array(z.object({ id: z.union([z.string(), z.number()]), score: z.number(), payload: z.unknown() }));
/** The answer to a query is an object; servers before 1.10 have a search instead, whose answer is the list. */
const answered = z.union([z.object({ points: hits }).transform(({ points }) => points), hits]);

const defaultTimeoutMs = 3_000;
const batchSize = 200;

/**
 * A Qdrant server over plain HTTP, with the BMAD kit's typed collections `{app id}-{type}`, so that both find each other's memories.
 * Everything is in the project's own store as well: where the server is down, slow or answers nonsense, nothing is lost.
 */
export class QdrantIndex implements SharedIndex {
  readonly #options: QdrantOptions;
  readonly #fetcher: Fetcher;
  readonly #base: string;
  /** Size of the vectors of each collection that is known to be there; undefined for one that is not. */
  readonly #sizes = new Map<Collection, number | undefined>();
  #pushing: Promise<boolean> | undefined;
  #hasQuery = true;

  constructor(options: QdrantOptions) {
    this.#options = options;
    this.#fetcher = new Fetcher({ log: options.log });
    this.#base = trimSlashes(options.url);
  }

  push(signal?: AbortSignal): Promise<boolean> {
    this.#pushing ??= this.#pushAll(signal).finally(() => {
      this.#pushing = undefined;
    });
    return this.#pushing;
  }

  async search({ vector, type, agent, limit }: SharedQuery, signal?: AbortSignal) {
    const wanted = type === undefined ? collections : [type];
    try {
      const found = await Promise.all(wanted.map((one) => this.#searchOne(one, vector, agent, limit, signal)));
      return found.flat().sort((a, b) => b.score - a.score);
    } catch (error) {
      signal?.throwIfAborted();
      this.#complain("searched", error);
      return undefined;
    }
  }

  async stop(): Promise<void> {
    this.#fetcher.close();
    await this.#pushing?.catch(() => undefined);
  }

  async #pushAll(signal?: AbortSignal): Promise<boolean> {
    const { store } = this.#options;
    try {
      for (;;) {
        const rows = await store.unsharedRows(batchSize);
        if (rows.length === 0) return true;
        for (const type of collections)
          await this.#pushRows(
            type,
            rows.filter((row) => row.type === type),
            signal,
          );
        await store.markShared(rows);
      }
    } catch (error) {
      signal?.throwIfAborted();
      this.#complain("updated", error);
      return false;
    }
  }

  async #pushRows(type: Collection, rows: readonly MemoryRow[], signal?: AbortSignal): Promise<void> {
    const gone = rows.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id);
    const points = rows.flatMap((row) => this.#toPoint(row));
    const size = points[0]?.vector.length;
    if (gone.length > 0 && (await this.#size(type, signal)) !== undefined)
      await this.#ask("POST", `${this.#name(type)}/points/delete?wait=true`, { points: gone }, signal);
    if (size === undefined) return;
    for (let attempt = 0; attempt < 2; attempt++) {
      if ((await this.#size(type, signal)) === undefined) await this.#create(type, size, signal);
      const known = await this.#size(type, signal);
      if (known !== size) throw wrongVectorSize(this.#name(type), known ?? 0, size);
      if ((await this.#ask("PUT", `${this.#name(type)}/points?wait=true`, { points }, signal)) !== undefined) return;
      // Somebody has deleted the collection in the meantime.
      this.#sizes.delete(type);
    }
    throw qdrantRefused(404);
  }

  #toPoint(row: MemoryRow) {
    const vector = row.vector && row.deleted_at === null ? unpackVector(row.vector) : undefined;
    if (!vector) return [];
    const { id, text, agent, type, tags, historic_id, created_at } = row;
    const date = new Date(Number(created_at)).toISOString();
    const made = {
      text,
      agent,
      type,
      tags: JSON.parse(tags),
      project: this.#options.appId,
      created_at: date,
      historic_id,
    };
    return [{ id, vector: unquantize(vector), payload: made }];
  }

  async #searchOne(
    type: Collection,
    vector: Float32Array,
    agent: string | undefined,
    limit: number,
    signal?: AbortSignal,
  ) {
    const size = await this.#size(type, signal);
    if (size === undefined) return [];
    if (size !== vector.length) throw wrongVectorSize(this.#name(type), size, vector.length);
    // Isolation comes before ranking: the server filters, not we.
    const must = [
      { key: "project", match: { value: this.#options.appId } },
      ...(agent === undefined ? [] : [{ key: "agent", match: { any: [...new Set([agent, agent.toLowerCase()])] } }]),
    ];
    const result = await this.#query(type, Array.from(vector), { limit, with_payload: true, filter: { must } }, signal);
    if (result === undefined) {
      this.#sizes.delete(type);
      return [];
    }
    const found = answered.safeParse(result);
    if (!found.success || found.data.some(({ score }) => !Number.isFinite(score))) throw notQdrant();
    return found.data.flatMap(({ id, score, payload: said }) => {
      const known = payload.safeParse(said);
      // The server filters; but what it answers decides what is read, so it is looked at again.
      const isAsked =
        known.data?.project === this.#options.appId &&
        (agent === undefined || known.data.agent.toLowerCase() === agent.toLowerCase());
      return known.success && isAsked ? [{ memory: this.#toMemory(String(id), type, known.data), score }] : [];
    });
  }

  /** Undefined where there is no such collection. */
  async #query(type: Collection, vector: number[], wanted: object, signal?: AbortSignal): Promise<unknown> {
    const points = `${this.#name(type)}/points`;
    const result = this.#hasQuery
      ? await this.#ask("POST", `${points}/query`, { query: vector, ...wanted }, signal)
      : undefined;
    if (result !== undefined) return result;
    const older = await this.#ask("POST", `${points}/search`, { vector, ...wanted }, signal);
    if (older !== undefined) this.#hasQuery = false;
    return older;
  }

  #toMemory(id: string, type: Collection, given: z.output<typeof payload>): Memory {
    const { text, agent, tags, created_at, historic_id } = given;
    const at = Date.parse(String(created_at ?? ""));
    return {
      id: id.slice(0, limits.idLength),
      historicId: historic_id?.slice(0, limits.idLength) ?? historicId(this.#options.appId, agent, text),
      type,
      agent: agent.slice(0, limits.agentLength),
      text: text.slice(0, limits.textLength),
      tags: tags.slice(0, limits.tags).map((tag) => tag.slice(0, limits.tagLength)),
      origin: "file",
      isDerived: false,
      writtenBy: "qdrant",
      source: `${this.#name(type)}`,
      createdAt: Number.isFinite(at) ? at : 0,
    };
  }

  async #create(type: Collection, size: number, signal?: AbortSignal): Promise<void> {
    const name = this.#name(type);
    await this.#ask("PUT", name, { vectors: { size, distance: "Cosine" } }, signal);
    // Servers may refuse filters on fields without an index.
    for (const field_name of ["project", "agent"])
      await this.#ask("PUT", `${name}/index?wait=true`, { field_name, field_schema: "keyword" }, signal);
  }

  async #size(type: Collection, signal?: AbortSignal): Promise<number | undefined> {
    const known = this.#sizes.get(type);
    if (known !== undefined) return known;
    const result = await this.#ask("GET", this.#name(type), undefined, signal);
    if (result === undefined) return undefined;
    const info = collectionInfo.safeParse(result);
    if (!info.success) throw notQdrant();
    const { size } = info.data.config.params.vectors;
    this.#sizes.set(type, size);
    return size;
  }

  #name(type: Collection): string {
    return `${this.#options.appId}-${type}`;
  }

  /** The `result` of an answer; undefined for 404. */
  async #ask(method: Method, path: string, json: unknown, signal?: AbortSignal): Promise<unknown> {
    const { key, timeoutMs = defaultTimeoutMs } = this.#options;
    const [name = "", rest] = path.split(/(?=[/?])(.*)/s);
    const response = await this.#fetcher.request(
      method,
      `${this.#base}/collections/${encodeURIComponent(name)}${rest ?? ""}`,
      {
        ...(json !== undefined && { json }),
        ...(key !== undefined && { headers: { "api-key": key } }),
        allowPrivate: [new URL(this.#base).origin],
        timeoutMs,
        attempts: 1,
        ...(signal && { signal }),
      },
    );
    if (response.status === 404) return undefined;
    // Another machine has created the collection in the meantime.
    if (response.status === 409 && method === "PUT") return true;
    if (response.status >= 300) throw qdrantRefused(response.status);
    const known = envelope.safeParse(response.json());
    if (!known.success) throw notQdrant();
    return known.data.result;
  }

  #complain(what: string, error: unknown): void {
    const why = error instanceof ForgeError ? error.message : String(error);
    this.#options.warn(`Qdrant could not be ${what}; the project's own store is used. ${why}`);
  }
}
