import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An embeddings API whose vectors depend on the words, of any size, or on what a test wants. */
export async function startEmbeddingsApi(
  options: { dimensions?: number; answer?: (input: string[]) => unknown; key?: string } = {},
) {
  const asked: { path: string; model: string; input: string[]; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { model, input } = JSON.parse(text);
    asked.push({ path: request.url ?? "", model, input, authorization: request.headers.authorization });
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`)
      return void response.writeHead(401).end("{}");
    const data = input.map((one: string, index: number) => ({
      object: "embedding",
      index,
      embedding: wordsVector(one, options.dimensions ?? 64),
    }));
    const body = options.answer ? options.answer(input) : { object: "list", data: data.reverse(), model };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

function wordsVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.001);
  for (const word of text.toLowerCase().split(/\W+/)) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % dimensions;
    vector[hash] = (vector[hash] ?? 0) + 1;
  }
  return vector;
}

/** The folder of a local model, with a runtime that stands in for the real one: it refuses to run where it might download something. */
export function makeModelFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-model-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const runtime = join(folder, "node_modules", "@huggingface", "transformers");
  mkdirSync(runtime, { recursive: true });
  writeFileSync(
    join(runtime, "package.json"),
    JSON.stringify({ name: "@huggingface/transformers", main: "index.mjs", type: "module" }),
  );
  writeFileSync(
    join(runtime, "index.mjs"),
    `export const env = {};
     export async function pipeline(task, model) {
       if (task !== "feature-extraction" || env.allowRemoteModels !== false || !env.localModelPath) throw new Error("wrong");
       return async (texts, { pooling, normalize }) => {
         if (texts.includes("crash")) process.exit(3);
         return { tolist: () => texts.map((text) => [text.length, pooling === "mean" && normalize ? 1 : 0, process.pid]) };
       };
     }`,
  );
  return folder;
}
