import { expect, test } from "vitest";
import {
  begin,
  linkInstead,
  makePrograms,
  openSaving,
  openShared,
  write,
} from "../../../../../test/harness/rooms/workbench/workbench-shared-folder.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";

const everything = { message: "x" };

test("what a person saves while it is being committed is not committed: all of it is taken back", async () => {
  const room = openSaving("update-index --add", "a.txt");
  const { branch } = await begin(room);
  await write(room, "a.txt", "task\n");
  await write(room, "b.txt", "task\n");
  const before = room.git("status", "--porcelain");
  room.arm();
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { others: [], changed_since: ["a.txt"], own: ["b.txt"], total: 1 },
  });
  expect(room.text("a.txt")).toBe("task\nmine\n");
  expect(room.git("log", "--format=%s", branch)).toBe("first");
  expect(room.git("status", "--porcelain")).toBe(before);
});

test("nor is it where the file was named", async () => {
  const room = openSaving("update-index --add", "theirs.txt");
  await begin(room);
  room.put({ "theirs.txt": "formatted\n" });
  room.arm();
  expect(await room.refused(forgeCommitChanges, { ...everything, files: ["theirs.txt"] })).toMatchObject({
    details: { changed_since: ["theirs.txt"] },
  });
});

test("what is saved a moment later stays in the folder, and nobody is told to commit it", async () => {
  const room = openSaving("commit", "a.txt");
  await begin(room);
  await write(room, "a.txt", "task\n");
  room.arm();
  const answer = await room.ok(forgeCommitChanges, everything);
  expect(answer).toMatchObject({ branch_merged: false, files_modified: ["a.txt"] });
  expect(answer["next"]).toContainEqual({
    tool: "forge_commit_changes",
    input: { message: "MESSAGE", files: [] },
    why: expect.stringContaining("without that change"),
  });
  expect(JSON.stringify(answer["next"])).not.toContain("commit that too");
  expect(await room.ok(forgeCommitChanges, { ...everything, files: [] })).toMatchObject({ branch_merged: true });
  expect(room.git("show", "main:a.txt")).toBe("task");
  expect(room.text("a.txt")).toBe("task\nmine\n");
});

test("a task is completed with what it committed, whatever a person made of the file since", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "new.txt", "task\n");
  await room.ok(forgeCommitChanges, { ...everything, complete: false });
  room.put({ "new.txt": "task\nmine\n" });
  const refusal = await room.refused(forgeCommitChanges, everything);
  expect(refusal).toMatchObject({ details: { changed_since: ["new.txt"] } });
  expect(refusal.next).toContainEqual(expect.objectContaining({ input: { message: "MESSAGE", files: [] } }));
  const answer = await room.ok(forgeCommitChanges, { ...everything, files: [] });
  expect(answer).toMatchObject({
    branch_merged: true,
    files_modified: [],
    actions_performed: [{ type: "file_created", path: "new.txt" }, { type: "merged" }],
  });
  expect(answer["warnings"]).toEqual(["Not committed, and unchanged in the folder: new.txt."]);
  expect(room.git("show", "main:new.txt")).toBe("task");
  expect(room.text("new.txt")).toBe("task\nmine\n");
});

test("without a commit there is nothing to complete it with", async () => {
  const room = openShared();
  await begin(room);
  expect(await room.refused(forgeCommitChanges, { ...everything, files: [] })).toMatchObject({
    code: "CONFLICT_ERROR",
    message: expect.stringContaining("Nothing was changed"),
  });
});

test("a file behind a link that a person put in its folder's place is not as it was written", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "d/x.txt", "task\n");
  await room.ok(forgeCommitChanges, { ...everything, complete: false });
  await write(room, "d/x.txt", "more\n");
  linkInstead(room, "d", "dd");
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({
    details: { changed_since: ["d/x.txt"], own: [] },
  });
});

test("what a person has staged of a file stays staged until the file is named", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "a.txt", "task\n");
  room.put({ "a.txt": "mine\n" });
  room.git("add", "a.txt");
  room.put({ "a.txt": "task\n" });
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({ details: { changed_since: ["a.txt"] } });
  expect(room.git("show", ":a.txt")).toBe("mine");
  expect(await room.ok(forgeCommitChanges, { ...everything, files: ["a.txt"] })).toMatchObject({ branch_merged: true });
});

test("nor is a mode that a person gave a file committed unnamed, while a program stays one", async () => {
  const room = openShared({ files: { "a.txt": "one\n", "run.sh": "one\n" } });
  makePrograms(room, "run.sh");
  room.git("commit", "--quiet", "--all", "--message", "a program");
  await begin(room);
  for (const name of ["a.txt", "run.sh", "new.sh"]) await write(room, name, "task\n");
  makePrograms(room, "a.txt", "new.sh");
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({
    details: { changed_since: ["a.txt", "new.sh"], own: ["run.sh"] },
  });
  room.git("config", "core.fileMode", "false");
  expect(await room.ok(forgeCommitChanges, everything)).toMatchObject({ branch_merged: true });
  expect(room.git("ls-tree", "--format=%(objectmode) %(path)", "main")).toBe(
    "100644 a.txt\n100644 new.sh\n100755 run.sh",
  );
});
