import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { makeModelFolder, startEmbeddingsApi } from "../../../../test/harness/rooms/memory/embeddings-stand-in.ts";
import { startMemoryServer } from "../../../../test/harness/rooms/memory/memory-server.ts";
import { StaticEncoder } from "../../../platform/embed/static-encoder.ts";
import { quantize } from "../recall/packed-vector.ts";
import { createPluginEmbedder } from "./plugin-embedder.ts";
import { checkVectors } from "./vector-check.ts";

type Recalled = { results: { text: string }[]; degraded: boolean };

const memory = { type: "decisions", agent: "dev", text: "Backups are kept for 35 days." };

test("any OpenAI-compatible API embeds, with its key and model", async () => {
  const api = await startEmbeddingsApi({ key: "sk-embedding-key-0123456789ABCDEF" });
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
  const api = await startEmbeddingsApi({ dimensions: 32 });
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
  const { reembedder } = await third.services();
  const progress: { done: number; total: number }[] = [];
  expect(await reembedder.run((said) => progress.push(said))).toBe(2);
  expect(progress).toEqual([{ done: 2, total: 2 }]);
});

test("a model that returns vectors of another length under the same name: everything is embedded again", async () => {
  const options = { dimensions: 32 };
  const api = await startEmbeddingsApi(options);
  const env = { FORGE_EMBEDDINGS_URL: api.url, FORGE_EMBEDDINGS_MODEL: "m" };
  const { ok, command } = await startMemoryServer({ env });
  await ok("remember_structured", memory);
  const recall = () => ok<Recalled>("recall_structured", { query: "backups days" });
  expect(await recall()).toMatchObject({ degraded: false, results: [{ text: memory.text }] });
  options.dimensions = 48;
  expect(await recall()).toMatchObject({ degraded: true, results: [{ text: memory.text }] });
  await command("embed_memories", {});
  expect(await recall()).toMatchObject({ degraded: false, results: [{ text: memory.text }] });
});

test("a model whose vectors have another length each time is given up, and not asked without end", async () => {
  let dimensions = 10;
  const answer = (input: string[]) => {
    dimensions++;
    return { data: input.map((_, index) => ({ index, embedding: Array<number>(dimensions).fill(1) })) };
  };
  const api = await startEmbeddingsApi({ answer });
  const env = { FORGE_EMBEDDINGS_URL: api.url, FORGE_EMBEDDINGS_MODEL: "m" };
  const { ok, services } = await startMemoryServer({ env });
  await ok("remember_structured", memory);
  const { reembedder } = await services();
  await expect(reembedder.run()).rejects.toThrow("different lengths");
  expect(api.asked.length).toBeLessThan(10);
});

test.each([
  ["NaN", () => ({ data: [{ index: 0, embedding: ["NaN", 1] }] })],
  ["null", () => ({ data: [{ index: 0, embedding: [null, 1] }] })],
  ["too few", () => ({ data: [] })],
  ["empty", () => ({ data: [{ index: 0, embedding: [] }] })],
  ["another shape", () => ({ hello: 1 })],
])("an API that answers %s is not used: memories are stored and found by words", async (_name, answer) => {
  const api = await startEmbeddingsApi({ answer });
  const { ok, logged } = await startMemoryServer({ env: { FORGE_EMBEDDINGS_URL: api.url } });
  expect(await ok("remember_structured", memory)).toMatchObject({ created: true, degraded: true });
  expect(await ok<Recalled>("recall_structured", { query: "backups" })).toMatchObject({
    degraded: true,
    results: [{ text: memory.text }],
  });
  expect(logged.join("\n")).toContain("by words alone");
});

test("an API that is not there, or refuses, is the same", async () => {
  const api = await startEmbeddingsApi({ key: "right" });
  for (const url of [api.url, "http://127.0.0.1:9/v1"]) {
    const { ok } = await startMemoryServer({
      env: { FORGE_EMBEDDINGS_URL: url, FORGE_EMBEDDINGS_KEY: "wrong-key-0123" },
    });
    expect(await ok("remember_structured", memory)).toMatchObject({ degraded: true });
  }
});

test("an installation without the encoder's files says so", () => {
  expect(() => StaticEncoder.load("/nonexistent")).toThrow("The text encoder's files are missing");
});

test("vectors of different lengths are refused", () => {
  expect(() => checkVectors("m", [[1, 2], [1]], 2)).toThrow("different lengths");
  expect(() => checkVectors("m", [[Number.POSITIVE_INFINITY]], 1)).toThrow("not a number");
});

test("a local model runs in a process of its own, with the runtime of its folder", async () => {
  const folder = makeModelFolder();
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
  // Identifiers by their parts, and a word that nobody knows by those that are in it.
  expect(cosine("MAX_RETRY_COUNT", "max retry count")).toBeCloseTo(1, 5);
  expect(cosine("kubernetesish", "kubernetes")).toBeGreaterThan(cosine("kubernetesish", "breakfast"));
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
      const vector = encoder.embed(text);
      const length = Math.hypot(...vector);
      expect(vector.every(Number.isFinite)).toBe(true);
      expect(length === 0 || Math.abs(length - 1) < 1e-4).toBe(true);
      const { values, factor } = quantize(vector);
      expect(Number.isFinite(factor) && values.length === vector.length).toBe(true);
    }),
  );
});
