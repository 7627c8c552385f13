import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { ledgerAlone } from "../../../test/harness/db/migrations.ts";
import { exists, makeFolder, putFile, removeFile, temporaryFolder } from "../../../test/harness/db/store.ts";
import { Ledger } from "../../commons/ledger/ledger.ts";
import type { Call } from "../../kernel/calls/call.ts";
import { type Caller, invoke, type Runtime, readResource } from "../../kernel/calls/invoke.ts";
import { defineTool } from "../../kernel/definitions/tool.ts";
import { localPrincipal } from "../../kernel/principal.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { activityRoute } from "./http/routes.ts";
import { activity } from "./model/activity.ts";
import type { ActivityServices } from "./open.ts";
import { resources } from "./resources/activity.ts";
import { activityRoom } from "./room.ts";

const [activityResource] = resources;
if (!activityResource) throw new Error("there is no resource");

const look = defineTool({
  name: "look",
  title: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({ at: z.string().max(20) }),
  output: z.object({ seen: z.string().max(20) }),
  about: ({ at }) => [`file:${at}`],
  run: async (_: ActivityServices, { at }) => ({ seen: at }),
});

const act = defineTool({ ...look, name: "act", title: "Act", effect: "act" });

const caller: Caller = {
  principal: localPrincipal("ann", "Claude"),
  signal: new AbortController().signal,
  report: () => undefined,
  log: () => undefined,
  canAsk: () => false,
  ask: async () => ({}),
};

describe("activity, through the kernel", () => {
  const folder = temporaryFolder();
  let count = 0;
  let file: string;
  let database: Database<unknown>;
  let ledger: Ledger;
  let runtime: Runtime<ActivityServices>;
  let logged: string[];

  beforeEach(() => {
    file = join(folder(), String(++count), ".forge", "forge.db");
    makeFolder(dirname(dirname(file)));
    database = openDatabase({ file }, ledgerAlone);
    logged = [];
    ledger = new Ledger({ database, redactor: new Redactor(), log: (_, message) => logged.push(message) });
    let ids = 0;
    runtime = {
      services: { ledger, guard: { hasForeignCalls: async () => false } },
      recorder: ledger,
      redactor: new Redactor(),
      newId: () => `call-${++ids}`,
      now: () => Date.now(),
      log: () => undefined,
    };
  });
  afterEach(async () => {
    await ledger.stop();
    await database.close();
  });

  const lookAt = (at: string) => invoke(runtime, "test", look, { at }, caller);
  const readActivity = async () => {
    const outcome = await readResource(runtime, "activity", activityResource, {}, caller);
    if (outcome.kind !== "value" || !("text" in outcome.value)) throw new Error("no text");
    return activity.parse(JSON.parse(outcome.value.text)).entries;
  };

  test("the resource shows what was called", async () => {
    await lookAt("a");
    await ledger.flush();
    await invoke(runtime, "test", act, { at: "b" }, caller);
    expect(await readActivity()).toMatchObject([
      { name: "look", outcome: "ok", about: ["file:a"], principal: "local:ann", agent: "Claude", effect: "read" },
      { name: "act", outcome: "ok", about: ["file:b"] },
    ]);
    expect(await activityRoom.resources?.()).toEqual([activityResource]);
  });

  test("the route takes a limit and a time", async () => {
    await lookAt("a");
    const before = new Date(Date.now() + 1).toISOString();
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(before));
    await lookAt("b");
    await lookAt("c");
    const call = { principal: caller.principal } as Call;
    const ask = (query: object) => {
      const input = { params: {}, query: activityRoute.query.parse(query), body: undefined, ifMatch: undefined };
      return activityRoute.run({ ...runtime.services, people: { nameOf: async () => undefined } }, input, call);
    };
    const subjects = async (query: object) => (await ask(query)).entries.map((entry) => entry.about[0]);
    expect(await subjects({})).toEqual(["file:a", "file:b", "file:c"]);
    expect(await subjects({ limit: "1" })).toEqual(["file:c"]);
    expect(await subjects({ since: before })).toEqual(["file:b", "file:c"]);
    expect(await subjects({ since: String(Date.parse(before)), limit: "1" })).toEqual(["file:c"]);
    await expect(ask({ since: "yesterday-ish" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(activityRoute.query.safeParse({ limit: "0" }).success).toBe(false);
    activity.parse(await ask({}));
  });

  test("a watcher hears of calls, but not of its own reading, which would never end", async () => {
    let changes = 0;
    let looks = 0;
    const stop = activityResource.watch?.(runtime.services, activityResource.uri, () => {
      changes++;
      void readActivity();
    });
    const lookUntilHeard = async () => {
      looks++;
      await lookAt("it");
      await ledger.flush();
      return changes;
    };
    await expect.poll(lookUntilHeard, { timeout: 30_000 }).toBeGreaterThan(0);
    for (let reading = 0; reading < 10; reading++) {
      await readActivity();
      await ledger.flush();
    }
    await expect.poll(lookUntilHeard, { timeout: 30_000 }).toBeGreaterThan(changes);
    expect(changes).toBeLessThanOrEqual(looks);
    stop?.();
  });

  test("a store that cannot be written costs reads nothing but one warning, and refuses what must be recorded", async () => {
    const inTheWay = dirname(file);
    putFile(inTheWay, "a file where the folder should be");
    for (const at of ["a", "b", "c"]) {
      expect(await lookAt(at)).toMatchObject({ kind: "value" });
      await ledger.flush();
    }
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/ledger cannot be written.*\.forge/);
    expect(await invoke(runtime, "test", act, { at: "d" }, caller)).toMatchObject({
      kind: "error",
      body: { code: "STORE_ERROR" },
    });
    removeFile(inTheWay);
    expect(await readActivity()).toMatchObject([
      { about: ["file:a"] },
      { about: ["file:b"] },
      { about: ["file:c"] },
      { name: "act", outcome: "error", code: "STORE_ERROR" },
    ]);
  });

  test("who was told that the store cannot be used is not warned of it again; of other calls it is said", async () => {
    putFile(dirname(file), "a file where the folder should be");
    expect(await invoke(runtime, "test", act, { at: "a" }, caller)).toMatchObject({ body: { code: "STORE_ERROR" } });
    await ledger.flush();
    expect(logged).toEqual([]);
    await lookAt("b");
    await ledger.flush();
    expect(logged).toHaveLength(1);
  });

  test("making a ledger and listing what it offers opens nothing", async () => {
    expect(await activityRoom.resources?.()).toHaveLength(1);
    expect(exists(dirname(file))).toBe(false);
  });
});
