import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { startMemoryServer } from "../../../../test/harness/memory-server.ts";
import { StaticEncoder } from "../../../platform/embed/static-encoder.ts";
import { quantize } from "./packed-vector.ts";
import { createPluginEmbedder } from "./plugin-embedder.ts";
import { checkVectors } from "./vector-check.ts";

type Recalled = { results: { text: string }[]; degraded: boolean };

const memory = { type: "decisions", agent: "dev", text: "Backups are kept for 35 days." };

/** An embeddings API whose vectors depend on the words, of any size, or on what a test wants. */
async function startApi(options: { dimensions?: number; answer?: (input: string[]) => unknown; key?: string } = {}) {
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

test("any OpenAI-compatible API embeds, with its key and model", async () => {
  const api = await startApi({ key: "sk-embedding-key-0123456789ABCDEF" });
  const env = {
    FORGE_EMBEDDINGS_URL: api.url,
    FORGE_EMBEDDINGS_MODEL: "nomic-embed-text",
    FORGE_EMBEDDINGS_KEY: "sk-embedding-key-0123456789ABCDEF",
  };
  const { ok } = await startMemoryServer({ env });
  expect(await ok("remember_structured", memory)).toMatchObject({ degraded: false });
  expect(await ok<Recalled>("recall_structured", { query: "backups" })).toMatchObject({
    degraded: false,
    results: [{ text: memory.text }],
  });
  expect(api.asked[0]).toMatchObject({ path: "/v1/embeddings", model: "nomic-embed-text", input: [memory.text] });
});

test("a change of the model embeds everything again in the background, also in other sizes", async () => {
  const first = await startMemoryServer();
  await first.ok("remember_structured", memory);
  await first.ok("remember_structured", { ...memory, text: "Deploys happen in the morning." });
  const api = await startApi({ dimensions: 32 });
  const second = await startMemoryServer({
    root: first.cwd,
    env: { FORGE_EMBEDDINGS_URL: api.url, FORGE_EMBEDDINGS_MODEL: "m" },
  });
  const before = await second.ok<Recalled>("recall_structured", { query: "backups days" });
  expect(before).toMatchObject({ degraded: true, results: [{ text: memory.text }] });
  await expect
    .poll(async () => (await second.ok<Recalled>("recall_structured", { query: "backups days" })).degraded, {
      timeout: 20_000,
    })
    .toBe(false);
  expect(await second.command("embed_memories", {})).toEqual({ embedded: 0 });
  const third = await startMemoryServer({ root: first.cwd });
  expect(await third.command("embed_memories", {})).toEqual({ embedded: 2 });
});

test.each([
  ["NaN", () => ({ data: [{ index: 0, embedding: ["NaN", 1] }] })],
  ["null", () => ({ data: [{ index: 0, embedding: [null, 1] }] })],
  ["too few", () => ({ data: [] })],
  ["empty", () => ({ data: [{ index: 0, embedding: [] }] })],
  ["another shape", () => ({ hello: 1 })],
])("an API that answers %s is not used: memories are stored and found by words", async (_name, answer) => {
  const api = await startApi({ answer });
  const { ok, logged } = await startMemoryServer({ env: { FORGE_EMBEDDINGS_URL: api.url } });
  expect(await ok("remember_structured", memory)).toMatchObject({ created: true, degraded: true });
  expect(await ok<Recalled>("recall_structured", { query: "backups" })).toMatchObject({
    degraded: true,
    results: [{ text: memory.text }],
  });
  expect(logged.join("\n")).toContain("by words alone");
});

test("an API that is not there, or refuses, is the same", async () => {
  const api = await startApi({ key: "right" });
  for (const url of [api.url, "http://127.0.0.1:9/v1"]) {
    const { ok } = await startMemoryServer({
      env: { FORGE_EMBEDDINGS_URL: url, FORGE_EMBEDDINGS_KEY: "wrong-key-0123" },
    });
    expect(await ok("remember_structured", memory)).toMatchObject({ degraded: true });
  }
}, 60_000);

test("vectors of different lengths are refused", () => {
  expect(() => checkVectors("m", [[1, 2], [1]], 2)).toThrow("different lengths");
  expect(() => checkVectors("m", [[Number.POSITIVE_INFINITY]], 1)).toThrow("not a number");
});

test("a local model runs in a process of its own, with the runtime of its folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-model-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const runtime = join(folder, "node_modules", "@huggingface", "transformers");
  mkdirSync(runtime, { recursive: true });
  writeFileSync(
    join(runtime, "package.json"),
    JSON.stringify({ name: "@huggingface/transformers", main: "index.mjs", type: "module" }),
  );
  // Stands in for the real runtime: refuses to run where it might download something.
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
  const embedder = createPluginEmbedder(folder);
  onTestFinished(() => embedder.stop?.());
  const [a, b] = await embedder.embed(["one", "three"]);
  expect(a).toHaveLength(3);
  expect(a).not.toEqual(b);
  await expect(embedder.embed(["crash"])).rejects.toMatchObject({ code: "DEPENDENCY_ERROR" });
  expect(await embedder.embed(["again"])).toHaveLength(1);
  expect(() => createPluginEmbedder("relative")).toThrow("not a folder");
});

test("the built-in encoder: any text gives a vector of length one or zero, and like means like", () => {
  const encoder = StaticEncoder.load();
  const cosine = (one: string, other: string) => {
    const [a, b] = [encoder.embed(one), encoder.embed(other)];
    return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  };
  expect(cosine("user login fails", "authentication error")).toBeGreaterThan(
    cosine("user login fails", "database migration failed"),
  );
  expect(cosine("getUserByEmail", "get user by email")).toBeCloseTo(1, 5);
  expect(cosine("xkubernetesx", "kubernetes")).toBeGreaterThan(-1);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const vector = encoder.embed(text);
      const length = Math.hypot(...vector);
      expect(vector.every(Number.isFinite)).toBe(true);
      expect(length === 0 || Math.abs(length - 1) < 1e-4).toBe(true);
      const { values, factor } = quantize(vector);
      expect(Number.isFinite(factor) && values.length === vector.length).toBe(true);
    }),
  );
});
