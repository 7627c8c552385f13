import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
