import { expect, test } from "vitest";
import { tools as workbenchTools } from "../../src/rooms/workbench/tools/index.ts";

/** What these return is the caller's own text, or words of Forge's with counts, ids and paths. */
const ownWords = new Set([
  "forge_create_task",
  "forge_create_block",
  "forge_write_file",
  "forge_write_blocks_file",
  "forge_import_blocks",
  "forge_cancel_execution",
]);

test("H06 every tool of the workbench that returns text of the repository says so", async () => {
  expect(Object.keys(workbenchTools).length).toBeGreaterThan(20);
  for (const load of Object.values(workbenchTools)) {
    const { name, untrusted } = await load();
    expect(untrusted, name).toBe(ownWords.has(name) ? undefined : "repository");
  }
});
