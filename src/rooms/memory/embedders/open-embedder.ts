import type { HouseSettings } from "../../../commons/house.ts";
import type { Log } from "../../../platform/log.ts";
import type { Embedder } from "./embedder.ts";
import { createStaticEmbedder } from "./static-embedder.ts";

type EmbedderSettings = Pick<HouseSettings, "embeddingsUrl" | "embeddingsModel" | "embeddingsKey">;

/** The encoder of the package unless the user's settings name another. Nothing of a project's files chooses where texts are sent. */
export async function openEmbedder(settings: EmbedderSettings, log: Log): Promise<Embedder> {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: key } = settings;
  if (url !== undefined) {
    const { createRemoteEmbedder } = await import("./remote-embedder.ts");
    return createRemoteEmbedder({ url, model: model ?? "text-embedding-3-small", key, log });
  }
  if (model === undefined) return createStaticEmbedder();
  const { createPluginEmbedder } = await import("./plugin-embedder.ts");
  return createPluginEmbedder(model);
}
