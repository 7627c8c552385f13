import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import { serveTeam, type TeamServer } from "../../src/app/server/server.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeOnEngines, temporaryFolder } from "../harness/db/store.ts";
import { home, login } from "../harness/rooms/access.ts";
import { GovernanceProject, type Reply } from "../harness/rooms/governance.ts";

const person = { email: "ada@example.com", displayName: "Ada", password: "correct horse" };
const files = {
  "Forge/Contracts/stack.md": "# Stack\n",
  "Forge/Contracts/physics.yaml": "a: [1\n",
  "Forge/Contracts/boundaries.json": '{"layers":[{"name":"l","glob":"*","forbidden":["x"]}]}',
  "own.md": "# Own stack\n",
};
const ref = { project_id: "shop", artifact_type: "phase", key: "a/../b:c" };

/** Every tool with what users send, good and bad, in an order that shows what each has changed. */
const calls: [tool: string, input?: Record<string, unknown>][] = [
  ["forge_get_governance"],
  ["forge_summary"],
  ["forge_list_contracts"],
  ["forge_get_invariants"],
  ["forge_get_contract", { name: "stack" }],
  ["forge_get_contract", { name: "physics" }],
  ["forge_get_contract", { name: "ui" }],
  ["forge_get_contract", { name: "nothing" }],
  ["forge_get_boundaries"],
  ["forge_get_directive"],
  ["forge_get_physics"],
  ["forge_get_stack"],
  ["forge_get_contract", { name: "stack", session_id: "session_of_somebody_else" }],
  ["forge_get_project_context", { project_id: "shop" }],
  ["forge_get_project_context", { project_id: "nowhere" }],
  ["forge_get_project_context"],
  ["forge_list_project_contracts", { project_id: "shop" }],
  ["forge_get_project_contract", { project_id: "shop", contract_type: "stack" }],
  ["forge_get_project_contract", { project_id: "shop", contract_type: "ui" }],
  ["forge_get_build_contracts", { build_id: "nowhere" }],
  ["forge_set_session", { project_id: "shop" }],
  ["forge_get_contract", { name: "stack" }],
  ["forge_get_project_context"],
  ["forge_list_project_contracts"],
  ["forge_get_project_contract", { contract_type: "stack" }],
  ["forge_get_contract", { name: "physics" }],
  ["forge_get_stack"],
  ["forge_get_build_contracts"],
  ["forge_set_session", { project_id: "nowhere", build_id: "nowhere" }],
  ["forge_get_contract", { name: "stack" }],
  ["forge_list_project_contracts"],
  ["forge_get_build_contracts"],
  ["forge_clear_session"],
  ["forge_clear_session"],
  ["forge_store_artifact", { ...ref, content: { a: [1, null, "\u0000"] } }],
  ["forge_store_artifact", { ...ref, key: "two", content: "x", ttl_hours: 0.5 }],
  ["forge_get_artifact", ref],
  ["forge_get_artifact", { ...ref, key: "none" }],
  ["forge_list_artifacts", { project_id: "shop" }],
  ["forge_list_artifacts", { project_id: "shop", limit: 1 }],
  ["forge_list_artifacts", { project_id: "shop", artifact_type: "seal" }],
  ["forge_list_artifacts", { project_id: "shop", cursor: "x" }],
  ["forge_store_artifact", { ...ref, key: "gone with the process", content: 1, persist: false }],
  ["forge_store_artifact", { ...ref, key: "a\u0000", content: 1 }],
  ["forge_store_artifact", { ...ref, artifact_type: "note", content: 1 }],
  ["forge_store_artifact", { ...ref, content: 1, ttl_hours: -1 }],
  ["forge_list_artifacts", { project_id: "shop" }],
  ["forge_clear_artifacts", { project_id: "shop", artifact_type: "phase" }],
  ["forge_clear_artifacts", { project_id: "shop" }],
  ["forge_list_artifacts", { project_id: "shop" }],
  ["forge_run_planner", { project_request: "A shop" }],
];

async function play(settings: Record<string, string>): Promise<[string, Reply][]> {
  const project = new GovernanceProject(files);
  if (settings["FORGE_TOKEN"] !== undefined) await project.do("governance push", { env: settings });
  await project.do("project create Shop --id shop", { env: settings });
  await project.do(`project contract put stack ${join(project.root, "own.md")} --project shop`, { env: settings });
  const build = await project.do("build start --project shop", { env: settings });
  const assistant = await project.connect(await project.start(settings));
  const replies: [string, Reply][] = [];
  const all = [...calls, ["forge_get_build_contracts", { build_id: build }] as const];
  for (const [tool, input = {}] of all) {
    const reply = await assistant
      .call(tool, input)
      .catch((error) => ({ isError: true, value: { thrown: String(error) } }));
    replies.push([tool, normalise(reply, build)]);
  }
  return replies;
}

/** Without what differs between any two runs: times, ids, and how a host words what to do next. */
function normalise(reply: Reply, build: string): Reply {
  const text = JSON.stringify(reply)
    .replaceAll(build, "BUILD")
    .replaceAll(/session_[\w-]{20,}/g, "SESSION")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/"(?:age|ttl_remaining)_seconds":\d+/g, '"seconds":0');
  const parsed = JSON.parse(text) as Reply;
  delete parsed.value["suggestions"];
  return parsed;
}

describeOnEngines("Local and remote", (engine) => {
  const folder = temporaryFolder();
  let server: TeamServer | undefined;
  let database: Database<unknown> | undefined;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    const place = await engine.fresh();
    const dataDir = join(folder(), "server");
    server = await serveTeam({
      settings: { databaseUrl: "url" in place ? place.url : undefined, ledgerDays: 30 },
      dataDir,
      address: { port: 0 },
      redactor: new Redactor(),
      log: () => undefined,
    });
    database = openDatabase<unknown>("url" in place ? place : { file: join(dataDir, "forge.db") }, migrations);
    const access = makeAccess({ database, passwordCost: { N: 1024, r: 8, p: 1 } });
    await access.registration.setUp((await access.registration.setupCode()) ?? "", person, "First", home);
    const { by } = await login(access, person);
    const { secret } = await access.tokens.create(by, { name: "CI", scopes: [...by.scopes], days: 1 }, home);
    env = {
      FORGE_API_URL: `${server.url}/api`,
      FORGE_TOKEN: secret,
      FORGEGUARD_URL: server.url,
      FORGEGUARD_API_KEY: secret,
    };
  });

  afterAll(async () => {
    await database?.close();
    await server?.close();
  });

  it("give the same answer to every call", async () => {
    const [local, remote] = [await play({}), await play(env)];
    for (const [index, [tool, reply]] of local.entries()) expect([tool, remote[index]?.[1]]).toEqual([tool, reply]);
    const called = new Set(calls.map(([tool]) => tool));
    const own = catalog
      .filter(({ name }) => name === "governance")
      .flatMap(({ tools, unlisted }) => [...tools.map(({ name }) => name), ...unlisted]);
    // What is checked are files, wherever contracts are kept.
    expect(own.filter((name) => !called.has(name))).toEqual(["forge_check_governance"]);
    expect(local.filter(([, { isError }]) => !isError).length).toBeGreaterThan(20);
  });

  it("contracts of a server are text by others, those of a trusted project are not", async () => {
    const project = new GovernanceProject(files);
    await project.do("trust --yes");
    await project.do("governance push", { env });
    for (const settings of [{}, env]) {
      const program = await project.start(settings);
      await (await project.connect(program)).get("forge_get_contract", { name: "stack" });
      const { guard } = await program.store();
      expect(await guard.hasReadUntrusted(program.principal())).toBe(settings === env);
    }
  });

  it("stay local with FORGEGUARD_LOCAL, whatever else is set", async () => {
    const project = new GovernanceProject({ "Forge/Contracts/ui.md": "mine" });
    const assistant = await project.connect(await project.start({ ...env, FORGEGUARD_LOCAL: "yes" }));
    expect((await assistant.get("forge_get_contract", { name: "ui" }))["content"]).toBe("mine");
    expect((await assistant.fail("forge_get_project_context", { project_id: "shop" }))["code"]).toBe("NOT_FOUND");
  });
});

describe("A server of another make", () => {
  const context = {
    project: { id: "p", name: "P", status: "ready" },
    contracts: [],
    latest_batch: null,
    build_count: 0,
  };

  it("is asked below /api first, then without it; a dead one gives NETWORK_ERROR, and the next call works", async () => {
    const asked: string[] = [];
    let isDead = true;
    const foreign = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      if (isDead) return void request.socket.destroy();
      const isKnown = request.url === "/mcp/context/p";
      response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(isKnown ? context : { detail: "Not Found" }));
    });
    await new Promise<void>((listening) => foreign.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void foreign.close());
    const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    const project = new GovernanceProject();
    const assistant = await project.connect(await project.start({ FORGEGUARD_URL: url, FORGEGUARD_API_KEY: "fg_1" }));
    const read = { project_id: "p" };
    expect((await assistant.fail("forge_get_project_context", read))["code"]).toBe("NETWORK_ERROR");
    isDead = false;
    asked.length = 0;
    expect((await assistant.get("forge_get_project_context", read))["project"]).toMatchObject({ name: "P" });
    expect(asked).toEqual(["GET /api/mcp/context/p Bearer fg_1", "GET /mcp/context/p Bearer fg_1"]);
    asked.length = 0;
    await assistant.get("forge_get_project_context", read);
    expect(asked).toEqual(["GET /mcp/context/p Bearer fg_1"]);
  });
});
