import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientsWithFileToolsNames, hasFileTools, isConfinedToProject } from "../../src/hosts/mcp/lists/lists.ts";
import { clients } from "../../src/rooms/setup/clients/clients.ts";

const folder = join(import.meta.dirname, "..", "..", "docs", "clients");

test("every client has its page, and every page its client", () => {
  expect(readdirSync(folder).sort()).toEqual(["README.md", ...clients.map(({ id }) => `${id}.md`)].sort());
});

test("the overview names every client and every file", () => {
  const overview = readFileSync(join(folder, "README.md"), "utf8");
  for (const { id, title, files } of clients) {
    const row = overview.split("\n").find((line) => line.includes(`[${title}](${id}.md) | \`${id}\``));
    expect(row, id).toBeDefined();
    if (files.project) expect(row).toContain(`\`${files.project.path}\``);
    if (files.user?.base === "home") expect(row).toContain(`\`~/${files.user.path}\``);
  }
});

test("every client has file tools of its own, apart from Claude Desktop", () => {
  expect(clients.filter(({ title }) => !hasFileTools(title)).map(({ id }) => id)).toEqual(["claude-desktop"]);
});

test("the page about the workbench names all clients with file tools, and those that are confined to the project", () => {
  const page = readFileSync(join(folder, "..", "workbench.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| In the project") || line.startsWith("| Anywhere"));
  const named = rows.map((line) => (line.split("|")[2] ?? "").split(",").map((name) => name.trim()));
  expect(named).toEqual([
    clientsWithFileToolsNames.filter(isConfinedToProject),
    clientsWithFileToolsNames.filter((name) => !isConfinedToProject(name)),
  ]);
});
