import { expect, test } from "vitest";
import { startMemoryServer } from "../../../../test/harness/rooms/memory/memory-server.ts";
import { type Mood, startQdrant } from "../../../../test/harness/rooms/memory/qdrant-stand-in.ts";
import { StaticEncoder } from "../../../platform/embed/static-encoder.ts";

type Recalled = { results: { text: string; agent: string; origin: string; historic_id: string }[]; degraded: boolean };

const memory = { type: "decisions", agent: "dev", text: "Uploads are scanned for viruses." };
const project = { "project-context.yaml": "project:\n  name: Demo Project\n" };

async function start(key?: string, isOld = false) {
  const qdrant = await startQdrant({ isOld, ...(key !== undefined && { key }) });
  const env = { BMAD_QDRANT_URL: qdrant.url, ...(key !== undefined && { FORGE_QDRANT_KEY: key }) };
  return { qdrant, ...(await startMemoryServer({ files: project, env, isTrusted: true })) };
}

test("memories go to the kit's typed collections, with its payload, and are forgotten there too", async () => {
  const { qdrant, ok, command } = await start("a-long-secret-key");
  const { id, degraded } = await ok<{ id: string; degraded: boolean }>("remember_structured", {
    ...memory,
    tags: ["files"],
  });
  expect(degraded).toBe(false);
  const collection = qdrant.collections.get("bmad-demo-project-decisions");
  expect(collection?.size).toBe(256);
  expect(collection?.points.get(id)?.payload).toMatchObject({
    ...memory,
    tags: ["files"],
    project: "bmad-demo-project",
    created_at: expect.stringMatching(/^\d{4}-/),
  });
  await ok("remember_structured", memory);
  expect(collection?.points.size).toBe(1);
  await command("forget_memories", { ids: [id] });
  expect(collection?.points.size).toBe(0);
});

test("memories that another program wrote are found, as foreign text; those of other projects are not", async () => {
  const { qdrant, ok } = await start();
  await ok("remember_structured", memory);
  const points = qdrant.collections.get("bmad-demo-project-decisions")?.points;
  const add = (id: string, project: string, text: string, more: object = {}) =>
    points?.set(id, {
      id,
      vector: Array.from(StaticEncoder.load().embed(text)),
      payload: {
        text,
        agent: "bridge",
        type: "decisions",
        tags: [],
        project,
        created_at: "2026-01-01T00:00:00",
        ...more,
      },
    });
  add("11111111-1111-5111-8111-111111111111", "bmad-demo-project", "Attachments above 20 MB are rejected.");
  add("22222222-2222-5222-8222-222222222222", "bmad-other", "Attachments are encrypted.");
  const spoilt = { historic_id: "h".repeat(500), agent: "a".repeat(500), tags: [null], created_at: "+275760-09-13" };
  add("33333333-3333-5333-8333-333333333333", "bmad-demo-project", "Attachments have names.", spoilt);
  const { results, degraded } = await ok<Recalled>("recall_structured", { query: "attachment size limit" });
  expect(degraded).toBe(false);
  expect(results[0]).toMatchObject({ agent: "bridge", origin: "file", historic_id: expect.stringMatching(/-5/) });
  const texts = results.map(({ text }) => text);
  expect(texts).toContain("Attachments have names.");
  expect(texts).not.toContain("Attachments are encrypted.");
});

test("a server that ignores the filters gives no memory of another project or agent", async () => {
  const { qdrant, ok } = await start();
  await ok("remember_structured", memory);
  qdrant.state.mood = "unfiltered";
  const vector = Array.from(StaticEncoder.load().embed(memory.text));
  const payload = { text: `${memory.text} Elsewhere.`, agent: "dev", type: "decisions", tags: [] };
  const points = qdrant.collections.get("bmad-demo-project-decisions")?.points;
  const put = (id: string, more: object) => points?.set(id, { id, vector, payload: { ...payload, ...more } });
  put("11111111-1111-5111-8111-111111111111", { project: "bmad-other" });
  put("22222222-2222-5222-8222-222222222222", {});
  put("33333333-3333-5333-8333-333333333333", { project: "bmad-demo-project", agent: "qa" });
  const { results } = await ok<Recalled>("recall_structured", { query: "viruses", agent: "dev" });
  expect(results.map(({ text }) => text)).toEqual([memory.text]);
});

test.each<Mood>(["silent", "failing", "nonsense", "not a number"])(
  "a server that is %s costs nothing but is told, and gets everything later",
  async (mood) => {
    const { qdrant, ok } = await start();
    await ok("remember_structured", { ...memory, text: "The first one, to have a collection." });
    qdrant.state.mood = mood;
    const stored = await ok("remember_structured", memory);
    if (mood !== "not a number") expect(stored).toMatchObject({ created: true, degraded: true });
    const found = await ok<Recalled>("recall_structured", { query: "antivirus check of files" });
    expect(found.degraded).toBe(true);
    expect(found.results[0]?.text).toBe(memory.text);
    qdrant.state.mood = "well";
    await ok("remember_structured", { ...memory, text: "The last one." });
    expect(qdrant.collections.get("bmad-demo-project-decisions")?.points.size).toBe(3);
    expect((await ok<Recalled>("recall_structured", { query: "antivirus" })).degraded).toBe(false);
  },
  60_000,
);

test("a collection of another size is left alone, and the project's own store is used", async () => {
  const { qdrant, ok, logged } = await start();
  qdrant.collections.set("bmad-demo-project-decisions", { size: 384, points: new Map() });
  expect(await ok("remember_structured", memory)).toMatchObject({ created: true, degraded: true });
  expect((await ok<Recalled>("recall_structured", { query: "viruses" })).results).toHaveLength(1);
  expect(logged.join("\n")).toContain("384");
});

test("a collection that somebody deletes is created again by the next memory", async () => {
  const { qdrant, ok } = await start();
  await ok("remember_structured", memory);
  qdrant.collections.clear();
  expect(await ok<Recalled>("recall_structured", { query: "viruses" })).toMatchObject({ degraded: false });
  for (const text of ["Backups are encrypted.", "Logs are kept for a week."]) {
    qdrant.collections.clear();
    expect(await ok("remember_structured", { ...memory, text })).toMatchObject({ degraded: false });
    expect(qdrant.collections.get("bmad-demo-project-decisions")?.points.size).toBe(1);
  }
});

test("an agent's name is found in any case, and servers before 1.10 are searched in their own way", async () => {
  for (const isOld of [false, true]) {
    const { qdrant, ok } = await start(undefined, isOld);
    await ok("remember_structured", memory);
    const found = await ok<Recalled>("recall_structured", { query: "viruses", agent: "DEV" });
    expect(found).toMatchObject({ degraded: false, results: [{ text: memory.text }] });
    await ok("recall_structured", { query: "viruses" });
    expect(qdrant.requests.at(-1)).toContain(isOld ? "/points/search" : "/points/query");
    expect(qdrant.requests.filter((request) => request.includes("/points/query")).length).toBe(isOld ? 1 : 2);
  }
});

test("a project that the user has not trusted reads and writes no memories on the server, whatever its files call it", async () => {
  const { qdrant, ok } = await start();
  await ok("remember_structured", memory);
  const points = () => qdrant.collections.get("bmad-demo-project-decisions")?.points.size;
  const clone = await startMemoryServer({ files: project, env: { FORGE_QDRANT_URL: qdrant.url } });
  const own = { ...memory, text: "Downloads are counted." };
  expect(await clone.ok("remember_structured", own)).toMatchObject({ degraded: true });
  const recall = async () => {
    const { results } = await clone.ok<Recalled>("recall_structured", { query: "uploads scanned for viruses" });
    return results.map(({ text }) => text);
  };
  expect(await recall()).not.toContain(memory.text);
  expect(points()).toBe(1);
  expect(clone.logged.filter((line) => line.includes("trusted this project"))).toHaveLength(1);
  await clone.trust();
  expect(await recall()).toContain(memory.text);
  await clone.ok("remember_structured", { ...own, text: "Downloads are limited." });
  expect(points()).toBe(3);
});
