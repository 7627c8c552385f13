import { once } from "../../../kernel/definitions/room.ts";
import type { Embedder } from "./embedder.ts";

/** Changes with the table: vectors of another one cannot be compared with these. */
const name = "forge-static-1";

/** The encoder in the package: no network, no second process. Loaded at first use. */
export function createStaticEmbedder(): Embedder {
  const load = once(async () => (await import("../../../platform/embed/static-encoder.ts")).StaticEncoder.load());
  return {
    name,
    async embed(texts) {
      const encoder = await load();
      return texts.map((text) => encoder.embed(text));
    },
  };
}
