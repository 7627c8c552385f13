import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { forgeCommitChanges } from "../../src/rooms/workbench/tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../src/rooms/workbench/tools/executions/forge-execute-task.ts";
import { forgeWriteFile } from "../../src/rooms/workbench/tools/files/forge-write-file.ts";
import { ada, openRoom } from "../harness/rooms/workbench/workbench-executions.ts";

type Links = Record<string, string>;

/** An open execution in a repository with these links. `hasRead`: the assistant has read text by others. */
async function begin(links: Links, { hasRead = false } = {}) {
  const files = { "a.txt": "one\n", "docs/guide.md": "ours\n", "docs/rules/a.md": "ours\n", "ci/x.yml": "on: push\n" };
  const room = openRoom({ files });
  if (Object.keys(links).length > 0) {
    link(room.project, links);
    room.git("add", "-A");
    room.git("commit", "--quiet", "-m", "Links");
  }
  const files_affected = Object.keys(files);
  const task = await room.task({ files_affected });
  await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  if (hasRead) await room.readers.noteUntrusted(ada);
  return room;
}

function link(root: string, links: Links): void {
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
}

test.each(["Forge", ".github", "_bmad", "app/.config"])(
  "D08 a link in place of %s, where protected files would be, is not committed without the user",
  async (path) => {
    const room = await begin({});
    link(room.project, { [path]: "ci" });
    const input = { message: "Tidy", files: [path] };
    expect(await room.refused(forgeCommitChanges, input)).toMatchObject({ code: "PERMISSION_DENIED" });
    room.git("add", path);
    room.git("commit", "--quiet", "-m", "Other tool");
    expect(await room.refused(forgeCommitChanges, { message: "Done", files: [] })).toMatchObject({
      code: "PERMISSION_DENIED",
    });
    for (const waiting of await room.approvals.listWaiting()) await room.approvals.decide(waiting, "approved", "ada");
    expect(await room.ok(forgeCommitChanges, { message: "Done", files: [] })).toMatchObject({ success: true });
  },
);

test("D08 an ordinary link is committed as other files are", async () => {
  const room = await begin({});
  link(room.project, { "docs/latest": "rules" });
  const input = { message: "Link", files: ["docs/latest"] };
  expect(await room.ok(forgeCommitChanges, input)).toMatchObject({ success: true });
});

test.each<[string, Links, string]>([
  ["a folder", { ".cursor/rules": "../docs/rules" }, "docs/rules/a.md"],
  ["a link that leads to another", { latest: "docs", ".cursor/rules": "../latest/rules" }, "docs/rules/a.md"],
  ["a file", { ".claude/settings.json": "../docs/guide.md" }, "docs/guide.md"],
])("D08 what a protected link leads to is protected, too: %s", async (_what, links, path) => {
  const room = await begin(links);
  room.put({ [path]: "evil\n" });
  expect(await room.refused(forgeCommitChanges, { message: "Docs", files: [path] })).toMatchObject({
    code: "PERMISSION_DENIED",
    details: { outside: [`protected:${path}`] },
  });
});

test("H06 what a link for assistants leads to is not written or committed unasked, once text by others was read", async () => {
  const content = { file_path: "docs/guide.md", content: "evil\n" };
  const ours = await begin({ "CLAUDE.md": "docs/guide.md" });
  await ours.ok(forgeWriteFile, content);
  expect(await ours.ok(forgeCommitChanges, { message: "Guide" })).toMatchObject({ success: true });
  const room = await begin({ "CLAUDE.md": "docs/guide.md" }, { hasRead: true });
  expect(await room.refused(forgeWriteFile, content)).toMatchObject({ code: "PERMISSION_DENIED" });
  room.put({ "docs/guide.md": "evil\n" });
  expect(await room.refused(forgeCommitChanges, { message: "Guide", files: ["docs/guide.md"] })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
  await room.ok(forgeWriteFile, { file_path: "a.txt", content: "two\n" });
});
