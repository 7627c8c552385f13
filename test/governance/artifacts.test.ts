import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { Artifacts } from "../../src/rooms/governance/artifacts/artifacts.ts";
import { LocalArtifacts } from "../../src/rooms/governance/artifacts/local-artifacts.ts";
import { type ArtifactRef, storeKey } from "../../src/rooms/governance/model/artifact.ts";
import { by } from "../harness/commons/caller.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { GovernanceProject } from "../harness/rooms/governance.ts";

const ledger = { commit: async () => undefined };
const ref: ArtifactRef = { project_id: "shop", artifact_type: "phase", key: "one" };
const person = { atKeyboard: true };
const hour = 3_600_000;

describe("The artifact tools", () => {
  it("store any JSON value, and get, list and clear it", async () => {
    const assistant = await new GovernanceProject().connect();
    for (const content of [{ a: [1, null] }, "text", 0, null, false, [], "\u0000🙂"]) {
      const stored = await assistant.get("forge_store_artifact", { ...ref, content });
      expect(stored).toMatchObject({ stored: true, store_key: "project:shop:phase:one", ttl_hours: 24 });
      expect((await assistant.get("forge_get_artifact", ref))["content"]).toEqual(content);
    }
    expect(await assistant.get("forge_list_artifacts", { project_id: "shop" })).toMatchObject({
      count: 1,
      artifact_type_filter: null,
      artifacts: [{ key: "one", artifact_type: "phase", source: "disk" }],
    });
    expect(await assistant.get("forge_clear_artifacts", { project_id: "shop" })).toEqual({
      cleared_memory: 0,
      cleared_disk: 1,
      project_id: "shop",
      artifact_type: null,
    });
    expect((await assistant.fail("forge_get_artifact", ref))["code"]).toBe("NOT_FOUND");
  });

  it("keep what is not to persist in the process only", async () => {
    const project = new GovernanceProject();
    const [one, other] = [await project.connect(), await project.connect(await project.start())];
    await one.get("forge_store_artifact", { ...ref, content: 1, persist: false });
    expect((await one.get("forge_get_artifact", ref))["source"]).toBe("memory");
    expect((await one.get("forge_list_artifacts", { project_id: "shop" }))["count"]).toBe(1);
    expect((await other.fail("forge_get_artifact", ref))["code"]).toBe("NOT_FOUND");
    expect((await one.get("forge_clear_artifacts", { project_id: "shop" }))["cleared_memory"]).toBe(1);
  });

  it("refuse control characters in keys, a missing content and an unknown type", async () => {
    const assistant = await new GovernanceProject().connect();
    const store = (change: object) => assistant.fail("forge_store_artifact", { ...ref, content: 1, ...change });
    expect((await store({ key: "a\u0000b" }))["message"]).toContain("control characters");
    expect((await store({ content: undefined }))["code"]).toBe("VALIDATION_ERROR");
    expect((await store({ artifact_type: "note" }))["code"]).toBe("VALIDATION_ERROR");
    expect((await store({ ttl_hours: 0 }))["code"]).toBe("VALIDATION_ERROR");
  });

  it("read, list and clear the files that an earlier program left, and restore them within a day", async () => {
    const file = ".forge_artifacts/shop/phase/plan.json";
    const project = new GovernanceProject({ [file]: '{\n  "a": 1\n}' });
    const assistant = await project.connect();
    const old = { ...ref, key: "plan" };
    expect(await assistant.get("forge_get_artifact", old)).toMatchObject({
      content: { a: 1 },
      ttl_remaining_seconds: null,
    });
    await assistant.get("forge_store_artifact", { ...ref, content: 2 });
    const { artifacts } = await assistant.get("forge_list_artifacts", { project_id: "shop" });
    expect((artifacts as { key: string }[]).map(({ key }) => key)).toEqual(["one", "plan"]);
    // Nobody has trusted the project, so the assistant would need approval: the file is not its own.
    expect((await project.run("artifact clear shop --json", person)).json()).toMatchObject({ cleared_disk: 2 });
    expect(existsSync(join(project.root, file))).toBe(false);
    expect((await project.run("artifact restore shop --json", person)).json()).toMatchObject({ restored: 2 });
    expect((await assistant.get("forge_get_artifact", old))["content"]).toEqual({ a: 1 });
    expect((await assistant.get("forge_get_artifact", ref))["content"]).toBe(2);
  });

  it("are also commands", async () => {
    const project = new GovernanceProject();
    const assistant = await project.connect();
    await assistant.get("forge_store_artifact", { ...ref, content: { a: 1 } });
    expect(await project.do("artifact list shop")).toContain("one");
    expect(JSON.parse(await project.do("artifact show shop phase one"))).toEqual({ a: 1 });
    expect(await project.do("artifact clear shop --type phase")).toBe("Cleared 1.");
  });
});

describeOnEngines("Stored artifacts", (engine) => {
  const open = async (
    now: () => number,
    place?: Awaited<ReturnType<typeof engine.fresh>>,
    quota = { artifacts: 1_000, characters: 10_000_000 },
  ) => {
    const database = openDatabase<unknown>(place ?? (await engine.fresh()), migrations);
    const store = new LocalArtifacts({ database, ledger, now, quota });
    return { store, artifacts: new Artifacts({ store, now }), close: () => database.close() };
  };

  it("are safe and distinct under any key (D13)", async () => {
    const { artifacts, close } = await open(Date.now);
    const hostile = fc.oneof(
      fc.constantFrom("..", "../../etc/passwd", "a/b", "a:b", "con", "A", "a", "é", "e\u0301", "%2e", " ", "'--", "🙂"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(hostile, { minLength: 1, maxLength: 5 }), hostile, async (keys, project_id) => {
        const refs = keys.map((key) => ({ ...ref, project_id, key }));
        for (const each of refs) await artifacts.put(by(), { ...each, content: each.key, ttl_hours: 1 }, true);
        for (const each of refs) expect((await artifacts.get(each)).content).toBe(each.key);
        expect(new Set(refs.map(storeKey)).size).toBe(refs.length);
        const listed = await artifacts.list({ project_id }, {});
        expect(listed.artifacts.map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
        await artifacts.clear(by(), { project_id });
      }),
      { numRuns: 40 },
    );
    await close();
  });

  it("are gone for good once expired, also after a restart, and are listed nowhere (J10)", async () => {
    const place = await engine.fresh();
    let time = 1_000_000_000_000;
    const first = await open(() => time, place);
    await first.artifacts.put(by(), { ...ref, content: 1, ttl_hours: 0.001 }, true);
    await first.close();
    time += hour;
    const second = await open(() => time, place);
    await expect(second.artifacts.get(ref)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await second.artifacts.list({ project_id: "shop" }, {})).artifacts).toEqual([]);
    // Not even a clock that is set back brings it back.
    time -= hour;
    await expect(second.artifacts.get(ref)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await second.close();
  });

  it("live no longer than twice as long as they should where the clock was set back (J09)", async () => {
    const place = await engine.fresh();
    let time = 2_000_000_000_000;
    const first = await open(() => time, place);
    await first.artifacts.put(by(), { ...ref, content: 1, ttl_hours: 1 }, true);
    await first.close();
    time -= 10 * 365 * 24 * hour;
    const second = await open(() => time, place);
    expect((await second.artifacts.get(ref)).ttl_remaining_seconds).toBeLessThanOrEqual(3_600);
    time += 1.1 * hour;
    await expect(second.artifacts.get(ref)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await second.close();
  });

  it("are listed in pages that together have each once", async () => {
    const { artifacts, close } = await open(Date.now);
    const keys = Array.from({ length: 250 }, (_, index) => `key-${String(index).padStart(3, "0")}`);
    for (const key of keys) await artifacts.put(by(), { ...ref, key, content: key, ttl_hours: 1 }, true);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await artifacts.list({ project_id: "shop" }, { cursor });
      seen.push(...page.artifacts.map(({ key }) => key));
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(keys);
    await expect(artifacts.list({ project_id: "shop" }, { cursor: "x" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await close();
  });

  it("stay within the project's limits, and a refused one replaces nothing (J13)", async () => {
    const { artifacts, store, close } = await open(Date.now);
    await artifacts.put(by(), { ...ref, content: "kept", ttl_hours: 1 }, true);
    const large = "x".repeat(4 * 1_048_576);
    await expect(artifacts.put(by(), { ...ref, content: large, ttl_hours: 1 }, true)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect((await store.get(ref))?.content).toBe("kept");
    await close();
  });

  it("are refused where the project is full, counted by number and size, until something is cleared or expires (J13)", async () => {
    let time = Date.now();
    const { artifacts, close } = await open(() => time, undefined, { artifacts: 3, characters: 100 });
    const put = (key: string, content: string, project_id = "shop") =>
      artifacts.put(by(), { ...ref, project_id, key, content, ttl_hours: 1 }, true);
    for (const key of ["a", "b", "c"]) await put(key, "x".repeat(20));
    await expect(put("d", "")).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: { max: 3 } });
    await expect(put("a", "x".repeat(70))).rejects.toMatchObject({ details: { max: 100 } });
    expect((await artifacts.get({ ...ref, key: "a" })).content).toBe("x".repeat(20));
    await put("d", "another project's", "other");
    await put("a", "");
    await put("b", "x".repeat(30));
    time += 2 * hour;
    await put("d", "x".repeat(90));
    await artifacts.clear(by(), { project_id: "shop" });
    await put("e", "x".repeat(90));
    await close();
  });

  it("in the trash take no more space than a project has: the first cleared goes first", async () => {
    let time = Date.now();
    const { artifacts, close } = await open(() => time, undefined, { artifacts: 10, characters: 100 });
    for (const key of ["a", "b", "c"]) {
      await artifacts.put(by(), { ...ref, key, content: "x".repeat(40), ttl_hours: 1 }, true);
      time++;
      await artifacts.clear(by(), { project_id: "shop" });
    }
    expect(await artifacts.restore(by(), { project_id: "shop" })).toBe(2);
    const { artifacts: listed } = await artifacts.list({ project_id: "shop" }, {});
    expect(listed.map(({ key }) => key)).toEqual(["b", "c"]);
    await close();
  });

  it("are cleared in parts: what others store meanwhile does not wait for all of them", async () => {
    const { store, artifacts, close } = await open(Date.now);
    const keys = Array.from({ length: 600 }, (_, index) => `key ${index}`);
    await Promise.all(keys.map((key) => store.store(by(), { ...ref, key, content: 1, ttl_hours: 1 })));
    const order: string[] = [];
    const clearing = store.clear(by(), { project_id: "shop" }).then((count) => order.push(`cleared ${count}`));
    const elsewhere = { ...ref, project_id: "other", content: 1, ttl_hours: 1 };
    await store.store(by(), elsewhere).then(() => order.push("stored"));
    await clearing;
    expect(order).toEqual(["stored", "cleared 600"]);
    expect(await artifacts.restore(by(), { project_id: "shop" })).toBe(600);
    await close();
  });

  it("are restored in parts too, and as they were last", async () => {
    let time = Date.now();
    const { store, artifacts, close } = await open(() => time);
    const keys = Array.from({ length: 600 }, (_, index) => `key ${index}`);
    for (const content of ["first", "last"]) {
      await Promise.all(keys.map((key) => store.store(by(), { ...ref, key, content, ttl_hours: 1 })));
      time++;
      await store.clear(by(), { project_id: "shop" });
    }
    let isRestoring = true;
    const restoring = store.restore(by(), { project_id: "shop" }).finally(() => (isRestoring = false));
    const counts = new Set<number>();
    while (isRestoring) {
      counts.add((await store.list({ project_id: "shop" }, { limit: 1_000 })).artifacts.length);
      await nextTurn();
    }
    expect(await restoring).toBe(600);
    expect([...counts].filter((count) => count > 0 && count < 600)).not.toEqual([]);
    for (const key of keys) expect((await artifacts.get({ ...ref, key })).content).toBe("last");
    expect(await store.restore(by(), { project_id: "shop" })).toBe(0);
    await close();
  });

  it("are cleared and restored at the same time, and both end", async () => {
    const { store, close } = await open(Date.now);
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    for (const key of keys) await store.store(by(), { ...ref, key, content: 1, ttl_hours: 1 });
    const both = [store.clear(by(), { project_id: "shop" }), store.restore(by(), { project_id: "shop" })];
    expect(await Promise.all(both)).toEqual([expect.any(Number), expect.any(Number)]);
    await close();
  });

  it("can be restored for a day after they were cleared, unless they were stored again", async () => {
    let time = Date.now();
    const { artifacts, close } = await open(() => time);
    const other = { ...ref, key: "two" };
    for (const each of [ref, other]) await artifacts.put(by(), { ...each, content: "old", ttl_hours: 100 }, true);
    await artifacts.clear(by(), { project_id: "shop" });
    await artifacts.put(by(), { ...ref, content: "new", ttl_hours: 100 }, true);
    expect(await artifacts.restore(by(), { project_id: "shop" })).toBe(1);
    expect((await artifacts.get(ref)).content).toBe("new");
    expect((await artifacts.get(other)).content).toBe("old");
    await artifacts.clear(by(), { project_id: "shop" });
    time += 25 * hour;
    expect(await artifacts.restore(by(), { project_id: "shop" })).toBe(0);
    await close();
  });
});

describe("Stored artifacts", () => {
  it("never write outside the project's own folder", async () => {
    const project = new GovernanceProject();
    const assistant = await project.connect();
    writeFileSync(join(project.root, "beside"), "");
    await assistant.get("forge_store_artifact", { ...ref, project_id: "../../src/rooms", key: "../../x", content: 1 });
    expect(readdirSync(project.root).sort()).toEqual([".forge", "beside"]);
  });
});
