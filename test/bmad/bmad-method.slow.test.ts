import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMemoryServer } from "../harness/rooms/memory/memory-server.ts";

/** What each version lays down; `npm run test:bmad` installs them first. */
const versions: [name: string, version: string, agents: string[]][] = [
  [
    "bmad-6.0",
    "6.0.1",
    ["analyst", "architect", "dev", "master", "pm", "qa", "quick-flow-solo-dev", "sm", "tech-writer", "ux-designer"],
  ],
  [
    "bmad-6.2",
    "6.2.0",
    ["analyst", "architect", "dev", "pm", "qa", "quick-flow-solo-dev", "sm", "tech-writer", "ux-designer"],
  ],
  ["bmad-6.3", "6.3.0", ["analyst", "architect", "dev", "pm", "tech-writer", "ux-designer"]],
  ["bmad-6.5", "6.5.0", ["analyst", "architect", "dev", "pm", "tech-writer", "ux-designer"]],
  ["bmad-6.8", "6.8.0", ["analyst", "architect", "dev", "pm", "tech-writer", "ux-designer"]],
  ["bmad-6.11", "6.11.0", ["analyst", "architect", "dev", "pm", "ux-designer"]],
  ["bmad-6.12", "6.12.0", ["analyst", "architect", "dev", "pm", "ux-designer"]],
];

const packages = join(import.meta.dirname, "node_modules");

test.skipIf(!existsSync(packages)).each(versions)(
  "%s: its agents by id and persona, its version, and no problems",
  async (name, version, agents) => {
    const { cwd, home, ok } = await startMemoryServer({ name: "shop" });
    const folder = join(packages, name);
    const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const args = [
      "install",
      "--yes",
      "--directory",
      cwd,
      "--modules",
      "bmm",
      "--tools",
      "claude-code",
      "--user-name",
      "Ada",
    ];
    execFileSync(process.execPath, [join(folder, bin["bmad-method"] ?? bin), ...args], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: home },
      stdio: "ignore",
    });
    const context = await ok<{ agents: { id: string; name?: string; source: string }[] }>("get_project_context");
    expect(context).toMatchObject({ name: "shop", installed: [{ name: "bmad-method", version }], problems: [] });
    expect(context.agents.map(({ id }) => id)).toEqual(agents);
    expect(context.agents.find(({ id }) => id === "architect")).toMatchObject({ name: "Winston" });
    for (const { source } of context.agents) expect(existsSync(join(cwd, source.replace(/:\d+$/, "")))).toBe(true);
    expect(await ok("get_agent_memory", { agent: "Winston" })).toMatchObject({ learnings: [] });
    expect(await ok("get_workflow_status")).toMatchObject({ kind: "none" });
  },
  180_000,
);
