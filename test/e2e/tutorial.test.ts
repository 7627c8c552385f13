import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runForgeOnTerminal } from "../harness/cli/terminal.ts";
import { Assistant, makeWorkbenchProject } from "../harness/rooms/workbench/workbench-program.ts";

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "getting-started.md"), "utf8");
/** The commands of the guide, from trusting the project on. */
const commands = [...guide.slice(guide.indexOf("## Trust the project")).matchAll(/```sh\n(.*?)```/gs)].flatMap(
  ([, block = ""]) => block.split("\n").flatMap((line) => line.replace(/ {2,}#.*/, "").trim() || []),
);

test("the tutorial asks one question: whether to trust the project", async () => {
  expect(commands[0]).toBe("forge trust");
  expect(commands).toContainEqual(expect.stringMatching(/^forge create /));
  const project = makeWorkbenchProject({
    "package.json": JSON.stringify({ name: "shop", scripts: { test: "node --test" } }),
    "src/auth.js": "export const signIn = () => true;\n",
    "CONTRIBUTING.md": "# How we work\n",
  });
  const trusted = await runForgeOnTerminal(["trust"], "y\r", project);
  expect([trusted.code, trusted.output.split("[y/N]").length - 1]).toEqual([0, 1]);
  project.forge("create", "Add logout", "--criterion", "The cookie is gone");
  project.forge("status", "T-001", "ready");

  // An assistant that cannot ask: whatever needed the user's approval would fail.
  const assistant = await Assistant.start(project, "modern", ["mcp", "--toolsets", "all"]);
  const { messages } = await assistant.client.getPrompt({ name: "forge_execute", arguments: { ticketId: "T-001" } });
  expect(JSON.stringify(messages)).toContain("Add logout");
  await assistant.ok("get_repository_context");
  await assistant.ok("forge_get_project_info");
  // The prompt has started the work.
  await assistant.ok("forge_execute_task", { block_id: "tickets", task_id: "T-001" });
  await assistant.ok("forge_read_file", { file_path: "CONTRIBUTING.md" });
  for (const file_path of ["src/logout.js", "docs/logout.md"])
    await assistant.ok("forge_write_file", { file_path, content: "// logged out\n" });
  expect(await assistant.ok("forge_commit_changes", { message: "Add logout" })).toMatchObject({ branch_merged: true });
});
