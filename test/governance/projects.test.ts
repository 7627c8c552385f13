import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { LocalProjects } from "../../src/rooms/governance/projects/local-projects.ts";
import { by } from "../harness/commons/caller.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { GovernanceProject } from "../harness/rooms/governance.ts";

const person = { atKeyboard: true };

async function openShop() {
  const project = new GovernanceProject({ "stack.md": "# Stack 1\n", "two.md": "# Stack 2\n" });
  expect(await project.do("project create Shop --id shop")).toBe("shop");
  await project.do(`project contract put stack ${project.root}/stack.md --project shop`);
  return project;
}

describe("Projects", () => {
  it("have contracts with versions, shown by the tools and the commands", async () => {
    const project = await openShop();
    await project.do(`project contract put stack ${project.root}/two.md --project shop`);
    // The same text again is no new version.
    await project.do(`project contract put stack ${project.root}/two.md --project shop`);
    const assistant = await project.connect();
    expect(await assistant.get("forge_get_project_context", { project_id: "shop" })).toMatchObject({
      project: { id: "shop", name: "Shop", status: "active" },
      contracts: [{ contract_type: "stack", version: 2, size_chars: 10 }],
      latest_batch: null,
      build_count: 0,
    });
    expect(await assistant.get("forge_list_project_contracts", { project_id: "shop" })).toMatchObject({ count: 1 });
    expect(await assistant.get("forge_get_project_contract", { project_id: "shop", contract_type: "stack" })).toEqual({
      contract_type: "stack",
      content: "# Stack 2\n",
      version: 2,
      project_id: "shop",
      source: "project_db",
    });
    expect(await project.do("project contract get stack --project shop --at 1")).toBe("# Stack 1");
    expect(await project.do("project contract diff stack --project shop")).toContain("-# Stack 1\n+# Stack 2");
    expect((await project.do("project contract history stack --project shop")).split("\n")).toHaveLength(2);
    expect(await project.do("project list")).toContain("shop");
  });

  it("name the nearest id for one that does not exist, and refuse an id twice", async () => {
    const project = await openShop();
    const assistant = await project.connect();
    const error = await assistant.fail("forge_get_project_context", { project_id: "shpo" });
    expect(error).toMatchObject({ code: "NOT_FOUND", suggestions: expect.arrayContaining(["Did you mean `shop`?"]) });
    expect((await project.run("project create Other --id shop", person)).err).toContain("already exists");
    const missing = { project_id: "shop", contract_type: "ui" };
    expect((await assistant.fail("forge_get_project_contract", missing))["code"]).toBe("CONTRACT_NOT_FOUND");
  });

  it("make the toolset fit, without the database being opened", async () => {
    const project = new GovernanceProject();
    const fits = async () => {
      const toolsets: { name: string; served: boolean }[] = JSON.parse(await project.do("toolsets --json"));
      return toolsets.find(({ name }) => name === "governance")?.served;
    };
    expect(await fits()).toBe(false);
    await project.do("project create Shop");
    expect(await fits()).toBe(true);
  });
});

describeOnEngines("The history of a contract", (engine) => {
  it("says how long each version is, in bytes if it is too long to be read for that", async () => {
    const database = openDatabase<unknown>(await engine.fresh(), migrations);
    const projects = new LocalProjects({ database, ledger: { commit: async () => undefined } });
    await projects.create(by(), { name: "Shop", id: "shop" });
    for (const content of ["# Ä", "ä".repeat(500_000)]) await projects.putContract(by(), "shop", "stack", content);
    const history = await projects.history("shop", "stack");
    expect(history.map(({ version, size_chars }) => [version, size_chars])).toEqual([
      [2, 1_000_000],
      [1, 3],
    ]);
    await database.close();
  });
});

describe("Builds", () => {
  it("pin the contracts as they are, whatever changes later (J17)", async () => {
    const project = await openShop();
    const id = await project.do("build start --project shop");
    const assistant = await project.connect();
    const before = await assistant.get("forge_get_build_contracts", { build_id: id });
    expect(before).toMatchObject({ batch: 1, contracts: [{ contract_type: "stack", content: "# Stack 1\n" }] });
    await project.do(`project contract put stack ${project.root}/two.md --project shop`, person);
    await project.do(`build close ${id}`, person);
    expect(await assistant.get("forge_get_build_contracts", { build_id: id })).toEqual(before);
    const second = await project.do("build start --project shop", person);
    expect((await assistant.get("forge_get_build_contracts", { build_id: second }))["batch"]).toBe(2);
    expect(await project.do("build list --project shop --json")).toContain(id);
    expect((await project.run(`build show ${id} --json`)).json()).toMatchObject({ status: "closed", contracts: 1 });
  });

  it("need something to pin", async () => {
    const project = new GovernanceProject();
    await project.do("project create Empty --id empty");
    expect((await project.run("build start --project empty")).err).toContain("no contracts");
  });
});

describe("A session", () => {
  const shared = { "Forge/Contracts/stack.md": "shared", "Forge/Contracts/manifesto.md": "ours" };

  it("gives the project and the build by default, to its connection only (K08, M10)", async () => {
    const project = await openShop();
    const program = await project.start();
    const [one, other] = [await project.connect(program), await project.connect(program)];
    const build_id = await project.do("build start --project shop");
    const { session_id } = await one.get("forge_set_session", { project_id: "shop", build_id, user_id: "someone" });
    expect(session_id).toMatch(/^session_[\w-]{32}$/);
    expect(await one.get("forge_get_project_context")).toMatchObject({ project: { id: "shop" } });
    expect(await one.get("forge_get_build_contracts")).toMatchObject({ build_id });
    expect((await other.fail("forge_get_project_context"))["message"]).toContain("no session is set");
    expect(await other.get("forge_get_project_context", { session_id })).toMatchObject({ project: { id: "shop" } });
    expect((await one.get("forge_clear_session"))["cleared"]).toBe(true);
    expect((await one.get("forge_clear_session"))["cleared"]).toBe(false);
    expect((await one.fail("forge_get_project_context"))["code"]).toBe("VALIDATION_ERROR");
    expect((await other.fail("forge_get_project_context", { session_id }))["code"]).toBe("NOT_FOUND");
  });

  it("is never another client's, however their calls are mixed (K08)", async () => {
    const project = new GovernanceProject();
    for (const id of ["one", "two"]) await project.do(`project create P --id ${id}`);
    const program = await project.start();
    const clients = await Promise.all(Array.from({ length: 3 }, () => project.connect(program)));
    const step = fc.record({
      client: fc.nat({ max: 2 }),
      act: fc.constantFrom("read", "one", "two", "clear"),
    });
    const set: (string | undefined)[] = clients.map(() => undefined);
    const take = async ({ client, act }: { client: number; act: string }) => {
      const assistant = clients[client];
      if (act === "clear") {
        await assistant?.get("forge_clear_session");
        set[client] = undefined;
      } else if (act !== "read") {
        await assistant?.get("forge_set_session", { project_id: act });
        set[client] = act;
      }
      const read = await assistant?.call("forge_get_project_context");
      return Object(read?.value["project"])["id"];
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        // Those of different clients run at once, those of one client in their order.
        const lanes = clients.map((_, client) => steps.filter((given) => given.client === client));
        await Promise.all(
          lanes.map(async (lane, client) => {
            for (const given of lane) expect(await take(given)).toBe(set[client]);
          }),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("answers the nine project contracts from the project, and falls back with a warning", async () => {
    const project = await openShop();
    for (const [path, text] of Object.entries(shared)) project.write(path, text);
    const assistant = await project.connect();
    const stack = () => assistant.get("forge_get_contract", { name: "stack" });
    expect((await stack())["content"]).toBe("shared");
    await assistant.get("forge_set_session", { project_id: "shop" });
    expect(await stack()).toMatchObject({ content: "# Stack 1\n", source: "project_db", filename: "stack.md" });
    expect((await assistant.get("forge_get_stack"))["content"]).toBe("# Stack 1\n");
    expect(await assistant.get("forge_get_contract", { name: "manifesto" })).toMatchObject({
      content: "ours",
      source: "framework",
      warnings: [expect.stringContaining('has no contract "manifesto"')],
    });
    await assistant.get("forge_set_session", { project_id: "nowhere" });
    expect(await stack()).toMatchObject({ content: "shared", warnings: [expect.stringContaining("not found")] });
    // The rules that all share stay where they are.
    expect((await assistant.get("forge_get_governance"))["sections"]).toMatchObject({ stack: "shared" });
  });

  it("is asked for by id where there is no connection", async () => {
    const project = await openShop();
    const { err } = await project.run("call forge_get_project_context");
    expect(err).toContain("session_id");
    const set = JSON.parse(await project.do("call forge_set_session project_id=shop --json"));
    const context = await project.do(`call forge_get_project_context session_id=${set.session_id}`);
    expect(context).toContain("Shop");
  });
});
