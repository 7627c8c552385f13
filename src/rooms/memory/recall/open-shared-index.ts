import type { HouseSettings } from "../../../commons/house.ts";
import type { Log } from "../../../platform/log.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import type { SharedIndex } from "./shared-index.ts";

type SharedOptions = {
  settings: Pick<HouseSettings, "qdrantUrl" | "qdrantKey">;
  store: MemoryStore;
  appId: string;
  log: Log;
  warn(message: string): void;
};

/** Where memories are shared with other programs; undefined where the user's settings name no such place. */
export async function openSharedIndex({ settings, ...options }: SharedOptions): Promise<SharedIndex | undefined> {
  const { qdrantUrl: url, qdrantKey: key } = settings;
  if (url === undefined) return undefined;
  const { QdrantIndex } = await import("./qdrant-index.ts");
  return new QdrantIndex({ url, key, ...options });
}
