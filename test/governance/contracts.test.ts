import { rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ContractFiles } from "../../src/rooms/governance/contracts/contract-files.ts";
import { contractNames } from "../../src/rooms/governance/model/contract-names.ts";
import { GovernanceProject } from "../harness/rooms/governance.ts";

const boundaries = {
  layers: [
    {
      name: "routers",
      glob: "app/*.py",
      description: "HTTP",
      forbidden: [{ pattern: "SELECT", reason: "no SQL" }, "print\\("],
    },
  ],
  known_violations: [{ layer: "routers", file: "app/a.py", pattern: "SELECT" }],
};
const contracts = {
  "Forge/Contracts/boundaries.json": JSON.stringify(boundaries),
  "Forge/Contracts/builder_contract.md": "# Rules\n",
  "Forge/Contracts/physics.yaml": "info:\n  title: Shop\n",
};

describe("The read tools", () => {
  it("answer with everything to read before changing code, and say what is missing", async () => {
    const assistant = await new GovernanceProject(contracts).connect();
    const { sections, available_contracts, governance_version } = await assistant.get("forge_get_governance");
    expect(governance_version).toBe("1.0");
    expect(available_contracts).toEqual(["boundaries", "physics", "builder_contract"]);
    expect(sections).toMatchObject({
      builder_contract: "# Rules\n",
      boundaries: { layers: [{ name: "routers", forbidden: ["SELECT — no SQL", "print\\("] }] },
      stack_error: expect.stringContaining("That is normal"),
    });
    expect((sections as Record<string, unknown[]>)["invariants"]).toHaveLength(7);
  });

  it("list all 15 names and which exist", async () => {
    const assistant = await new GovernanceProject(contracts).connect();
    const { contracts: listed, total } = await assistant.get("forge_list_contracts");
    expect(total).toBe(15);
    expect(listed).toContainEqual({ name: "physics", filename: "physics.yaml", format: "yaml", available: true });
    expect(listed).toContainEqual({ name: "ui", filename: "ui.md", format: "markdown", available: false });
  });

  it("parse JSON and YAML, and answer Markdown as text", async () => {
    const assistant = await new GovernanceProject(contracts).connect();
    expect((await assistant.get("forge_get_contract", { name: "boundaries" }))["content"]).toEqual(boundaries);
    expect((await assistant.get("forge_get_contract", { name: "physics" }))["content"]).toEqual({
      info: { title: "Shop" },
    });
    expect(await assistant.get("forge_get_contract", { name: "builder_contract" })).toEqual({
      name: "builder_contract",
      filename: "builder_contract.md",
      format: "markdown",
      content: "# Rules\n",
    });
  });

  it("answer a file that does not parse as text with a warning", async () => {
    const text = "paths:\n  name: string (required, enum: a, b)\n  other: [1\n";
    const assistant = await new GovernanceProject({ "Forge/Contracts/physics.yaml": text }).connect();
    const read = await assistant.get("forge_get_contract", { name: "physics" });
    expect(read).toMatchObject({
      format: "yaml",
      content: text,
      warnings: [expect.stringContaining("not valid YAML")],
    });
  });

  it("summarise contracts, layers, invariants and endpoints", async () => {
    const assistant = await new GovernanceProject(contracts).connect();
    const summary = await assistant.get("forge_summary");
    expect(summary).toMatchObject({
      framework: "Forge",
      contracts: contractNames,
      architectural_layers: [{ name: "routers", description: "HTTP", forbidden_count: 2 }],
      endpoints: { contracts: "GET /forge/contracts" },
    });
  });

  it("give the invariants with their constraints", async () => {
    const assistant = await new GovernanceProject().connect();
    const { invariants, constraint_types, total } = await assistant.get("forge_get_invariants");
    expect(total).toBe(7);
    expect(invariants).toContainEqual(
      expect.objectContaining({ name: "syntax_errors", constraint: "equal", default_value: 0 }),
    );
    expect(constraint_types).toContainEqual({ name: "MONOTONIC_UP", value: "monotonic_up" });
  });

  it("keep the four older shortcuts callable and out of the list", async () => {
    const assistant = await new GovernanceProject(contracts).connect();
    const { tools } = await assistant.client.listTools();
    for (const [shortcut, name] of Object.entries({
      forge_get_boundaries: "boundaries",
      forge_get_physics: "physics",
    })) {
      expect(tools.map((tool) => tool.name)).not.toContain(shortcut);
      expect(await assistant.get(shortcut)).toEqual(await assistant.get("forge_get_contract", { name }));
    }
    for (const shortcut of ["forge_get_directive", "forge_get_stack"])
      expect((await assistant.fail(shortcut))["code"]).toBe("CONTRACT_NOT_FOUND");
  });
});

describe("Bad input", () => {
  it("is told the nearest names for one that does not exist", async () => {
    const assistant = await new GovernanceProject().connect();
    const error = await assistant.fail("forge_get_contract", { name: "boundary" });
    expect(error["code"]).toBe("VALIDATION_ERROR");
    expect(JSON.stringify(error)).toContain("boundaries");
  });

  it.each([
    ["an oversized contract", "x".repeat(1_048_577)],
    ["a binary contract", "a\0b"],
  ])("refuses %s with the limit", async (_what, text) => {
    const assistant = await new GovernanceProject({ "Forge/Contracts/ui.md": text }).connect();
    const error = await assistant.fail("forge_get_contract", { name: "ui" });
    expect(error["code"]).toBe("VALIDATION_ERROR");
    expect(JSON.stringify(error)).toMatch(/1048576|1 MiB/);
  });

  it("does not follow a link out of the project", async () => {
    const project = new GovernanceProject({ "Forge/Contracts/ui.md": "inside" });
    rmSync(join(project.root, "Forge/Contracts/ui.md"));
    symlinkSync("/etc/hostname", join(project.root, "Forge/Contracts/ui.md"));
    const assistant = await project.connect();
    expect((await assistant.call("forge_get_contract", { name: "ui" })).isError).toBe(true);
  });
});

describe("The cache", () => {
  it("never serves an edited file stale, even where size and time stay the same", async () => {
    const project = new GovernanceProject({ "Forge/Contracts/ui.md": "one" });
    const path = join(project.root, "Forge/Contracts/ui.md");
    const past = new Date(Date.now() - 60_000);
    utimesSync(path, past, past);
    const files = new ContractFiles(project.root);
    expect((await files.get("ui")).content).toBe("one");
    writeFileSync(path, "two");
    utimesSync(path, past, past);
    expect((await files.get("ui")).content).toBe("two");
    rmSync(path);
    await expect(files.get("ui")).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });

  it("never lists a contract that is gone, or misses one that has come, also behind a link", async () => {
    const project = new GovernanceProject({ "Forge/Contracts/ui.md": "one", "elsewhere/ui.md": "one" });
    const files = new ContractFiles(project.root, () => Date.now() + 10_000);
    const listed = async () => (await files.list()).flatMap(({ name, available }) => (available ? [name] : []));
    expect(await listed()).toEqual(["ui"]);
    project.write("Forge/Contracts/stack.md", "two");
    expect(await listed()).toEqual(["stack", "ui"]);
    rmSync(join(project.root, "Forge/Contracts/ui.md"));
    expect(await listed()).toEqual(["stack"]);
    rmSync(join(project.root, "Forge/Contracts"), { recursive: true });
    expect(await listed()).toEqual([]);
    symlinkSync("../elsewhere", join(project.root, "Forge/Contracts"));
    expect(await listed()).toEqual(["ui"]);
    rmSync(join(project.root, "elsewhere/ui.md"));
    expect(await listed()).toEqual([]);
  });

  it("does not read an unchanged file again within five minutes", async () => {
    const project = new GovernanceProject({ "Forge/Contracts/boundaries.json": "{}" });
    const now = Date.now() + 10_000;
    let passed = 0;
    const files = new ContractFiles(project.root, () => now + passed);
    const first = await files.get("boundaries");
    expect(await files.get("boundaries")).toBe(first);
    passed = 301_000;
    expect(await files.get("boundaries")).not.toBe(first);
    expect(await files.list()).toHaveLength(15);
  });
});
