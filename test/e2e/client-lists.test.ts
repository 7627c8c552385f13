import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import { ToolSelection } from "../../src/app/local/tool-selection.ts";
import { findProject } from "../../src/platform/state/project.ts";
import { startForge } from "../harness/cli/program.ts";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

let sandbox: Sandbox;
let repository: string;

beforeAll(() => {
  sandbox = makeSandbox();
  repository = sandbox.repository("project", { "README.md": "# Hello\n" });
});
afterAll(() => sandbox.dispose());

const fileTools = catalog.flatMap((entry) => entry.fileTools);

/** The names that a client is shown, in their order. */
async function shownTo(name: string, ...args: string[]): Promise<string[]> {
  return (await entriesFor(name, ...args)).map((tool) => tool.name);
}

async function entriesFor(name: string, ...args: string[]): Promise<{ name: string }[]> {
  const program = startForge(["mcp", ...args], { cwd: repository });
  const clientInfo = { name, version: "1" };
  await program.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const { result } = await program.request("tools/list");
  await program.finish();
  return (result as { tools: { name: string }[] }).tools;
}

test("what the build has written of the tools is what their definitions say", async () => {
  const listed = await entriesFor("harness", "--toolsets", "all");
  expect(listed.length).toBeGreaterThan(60);
  expect(catalog.flatMap(({ tools }) => tools)).toEqual(expect.arrayContaining(listed));
});

test("clients with file tools of their own are shown all but Forge's, unless toolsets are named", async () => {
  const all = await shownTo("harness");
  expect(all).toEqual(expect.arrayContaining(fileTools));
  for (const name of ["claude-code", "cursor-vscode", "codex-mcp-client"])
    expect(await shownTo(name)).toEqual(all.filter((tool) => !fileTools.includes(tool)));
  expect(await shownTo("claude-code", "--toolsets", "all")).toEqual(await shownTo("harness", "--toolsets", "all"));
});

test("forge toolsets says so", () => {
  const reasons = (toolsets: string) =>
    new ToolSelection({ toolsets, profile: undefined, readOnly: false }, findProject(repository))
      .report()
      .map(({ reason }) => reason)
      .join();
  expect(reasons("auto")).toContain(
    `${fileTools.length} file tools hidden in clients that have their own (Claude Code`,
  );
  expect(reasons("all")).not.toContain("file tools");
});
