import { createHash } from "node:crypto";
import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { trimSlashes } from "../../../kernel/text/trim-slashes.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import type { Log } from "../../../platform/log.ts";
import type { Embedder } from "./embedder.ts";
import { checkVectors, wrongVectors } from "./vector-check.ts";

export type RemoteOptions = { url: string; model: string; key: string | undefined; log: Log };

const answer = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.unknown()) })) });
const batchSize = 64;
const timeoutMs = 20_000;

/** Any OpenAI-compatible `/v1/embeddings`: OpenAI, Ollama, vLLM, LM Studio. The address is the user's own setting. */
export function createRemoteEmbedder({ url, model, key, log }: RemoteOptions): Embedder {
  const fetcher = new Fetcher({ log });
  const base = trimSlashes(url);
  const target = base.endsWith("/embeddings") ? base : `${base}/embeddings`;
  const embedBatch = async (input: readonly string[], signal?: AbortSignal) => {
    const response = await fetcher.request("POST", target, {
      json: { model, input },
      // The same request gives the same vectors, so it may be repeated; another one must not get their answer.
      idempotencyKey: `embed-${createHash("sha256")
        .update(JSON.stringify([model, input]))
        .digest("hex")}`,
      allowPrivate: [new URL(target).origin],
      timeoutMs,
      ...(key !== undefined && { token: key }),
      ...(signal && { signal }),
    });
    if (response.status !== 200) throw refusedRequest(model, response.status);
    const parsed = answer.safeParse(response.json());
    if (!parsed.success) throw wrongVectors(model, "its response is not that of an embeddings API");
    const sorted = parsed.data.data.toSorted((a, b) => a.index - b.index);
    return checkVectors(
      model,
      sorted.map(({ embedding }) => embedding),
      input.length,
    );
  };
  return {
    name: `${new URL(target).host}/${model}`,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batchSize)
        vectors.push(...(await embedBatch(texts.slice(at, at + batchSize), signal)));
      return vectors;
    },
    stop: () => fetcher.close(),
  };
}

function refusedRequest(model: string, status: number): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `The embeddings API answered ${status} for the model ${model}.`, {
    details: { status, model },
    next: [
      status === 401 || status === 403
        ? "Check the API key in FORGE_EMBEDDINGS_KEY."
        : "Check FORGE_EMBEDDINGS_URL and FORGE_EMBEDDINGS_MODEL.",
    ],
  });
}
