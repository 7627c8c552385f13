import type { HouseSettings } from "../../../commons/house.ts";
import type { Log } from "../../../platform/log.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { twoSharedStores } from "./errors.ts";
import type { SharedIndex } from "./shared-index.ts";
import { requireTrust } from "./trusted-index.ts";

type SharedOptions = {
  settings: Pick<HouseSettings, "qdrantUrl" | "qdrantKey" | "pgvectorUrl">;
  store: MemoryStore;
  appId: string;
  /** The embedder that makes the vectors. */
  model: string;
  log: Log;
  isTrusted(): Promise<boolean>;
  warn(message: string): void;
};

/** Where memories are shared with other machines and programs; undefined where the user's settings name no such place. */
export async function openSharedIndex(options: SharedOptions): Promise<SharedIndex | undefined> {
  const index = await openIndex(options);
  return index && requireTrust(index, options);
}

async function openIndex({ settings, log, ...options }: SharedOptions): Promise<SharedIndex | undefined> {
  const { qdrantUrl, qdrantKey: key, pgvectorUrl } = settings;
  if (qdrantUrl !== undefined && pgvectorUrl !== undefined) throw twoSharedStores();
  if (pgvectorUrl !== undefined) {
    const { PgvectorIndex } = await import("./pgvector-index.ts");
    return new PgvectorIndex({ url: pgvectorUrl, ...options });
  }
  if (qdrantUrl === undefined) return undefined;
  const { QdrantIndex } = await import("./qdrant-index.ts");
  return new QdrantIndex({ url: qdrantUrl, key, log, ...options });
}
