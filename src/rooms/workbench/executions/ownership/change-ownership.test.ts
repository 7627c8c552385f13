import { expect, test } from "vitest";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import { ada } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import {
  begin,
  openShared,
  personsStatus,
  personWorks,
  write,
} from "../../../../../test/harness/rooms/workbench/workbench-shared-folder.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeEditFile } from "../../tools/files/forge-edit-file.ts";
import { forgeReadFile } from "../../tools/files/forge-read-file.ts";
import { forgeWriteFile } from "../../tools/files/forge-write-file.ts";

const everything = { message: "x" };
const nameFiles = { tool: "forge_commit_changes", input: { message: "MESSAGE", files: ["PATH"] } };

describeOnEngines("in a folder where a person works too", (engine) => {
  test("with nothing said all that Forge's tools wrote is committed", async () => {
    const room = openShared({ place: await engine.fresh() });
    await begin(room);
    await write(room, "new.txt", "new\n");
    await room.ok(forgeEditFile, { file_path: "a.txt", edits: [{ old_text: "two", new_text: "2" }] });
    await room.ok(forgeEditFile, { file_path: "a.txt", edits: [{ old_text: "one", new_text: "1" }] });
    expect(await room.ok(forgeCommitChanges, everything)).toMatchObject({
      files_modified: ["a.txt", "new.txt"],
      branch_merged: true,
    });
    expect(room.git("status", "--porcelain")).toBe("");
  });

  test("a person's work meanwhile is neither committed nor touched: refused, and past it by naming", async () => {
    const room = openShared({ place: await engine.fresh() });
    const { branch } = await begin(room);
    await write(room, "new.txt", "new\n");
    personWorks(room);
    const before = room.git("status", "--porcelain");
    const refusal = await room.refused(forgeCommitChanges, everything);
    expect(refusal).toMatchObject({
      code: "CONFLICT_ERROR",
      details: { others: ["scratch.txt", "staged.txt", "theirs.txt"], changed_since: [], own: ["new.txt"], total: 3 },
    });
    expect(refusal.next?.[0]).toMatchObject(nameFiles);
    expect(room.git("log", "--format=%s", branch)).toBe("first");
    expect(room.git("status", "--porcelain")).toBe(before);

    const answer = await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] });
    expect(answer).toMatchObject({ files_modified: ["new.txt"], branch_merged: true, branch_deleted: true });
    expect(answer["warnings"]).toEqual([
      "Not committed, and unchanged in the folder: scratch.txt, staged.txt, theirs.txt.",
    ]);
    expect(answer["actions_performed"]).toMatchObject([
      { type: "file_created", path: "new.txt" },
      { type: "committed", files: ["new.txt"] },
      { type: "merged" },
    ]);
    expect(room.git("branch", "--show-current")).toBe("main");
    expect(room.git("show", "--format=", "--name-only", "HEAD")).toBe("new.txt");
    expect(room.git("status", "--porcelain")).toBe(personsStatus);
    expect(["theirs.txt", "staged.txt", "scratch.txt"].map((name) => room.text(name))).toEqual(Array(3).fill("mine\n"));
  });
});

test("what an assistant's own commands changed is committed once it is named", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "new.txt", "new\n");
  room.put({ "lock.json": "{}\n", "theirs.txt": "formatted\n" });
  expect(
    await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt", "lock.json", "theirs.txt"] }),
  ).toMatchObject({ files_modified: ["lock.json", "new.txt", "theirs.txt"], branch_merged: true });
  expect(room.git("status", "--porcelain")).toBe("");
});

test("a file that Forge wrote and somebody changed since is theirs as well", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "new.txt", "new\n");
  await write(room, "gone.txt", "new\n");
  room.put({ "new.txt": "new\nand mine\n" });
  room.remove("gone.txt");
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { others: [], changed_since: ["new.txt"], total: 1 },
  });
  expect(await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] })).toMatchObject({
    files_modified: ["new.txt"],
    branch_merged: true,
  });
  expect(room.git("show", "HEAD:new.txt")).toBe("new\nand mine");
});

test("and so is one that a person had changed before Forge did: it loses nothing, and goes nowhere unnamed", async () => {
  const room = openShared();
  await begin(room);
  room.put({ "a.txt": "mine\ntwo\nthree\n" });
  const whole = { file_path: "a.txt", content: "one\ntwo\n3\n" };
  const refusal = await room.refused(forgeWriteFile, whole);
  expect(refusal).toMatchObject({ code: "CONFLICT_ERROR", details: { path: "a.txt" } });
  expect(room.text("a.txt")).toBe("mine\ntwo\nthree\n");
  await room.ok(forgeEditFile, { file_path: "a.txt", edits: [{ old_text: "three", new_text: "3" }] });
  await room.ok(forgeEditFile, { file_path: "a.txt", edits: [{ old_text: "two", new_text: "2" }] });
  expect(room.text("a.txt")).toBe("mine\n2\n3\n");
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({ details: { changed_since: ["a.txt"] } });
  const { sha256 } = await room.ok<{ sha256: string }>(forgeReadFile, { file_path: "a.txt" });
  expect(await room.ok(forgeWriteFile, { ...whole, expected_sha256: sha256 })).toMatchObject({ action: "modified" });
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({ details: { changed_since: ["a.txt"] } });
});

test("once it is committed, Forge's next change of it is the execution's alone", async () => {
  const room = openShared();
  await begin(room);
  room.put({ "a.txt": "mine\ntwo\nthree\n" });
  await room.ok(forgeEditFile, { file_path: "a.txt", edits: [{ old_text: "three", new_text: "3" }] });
  await room.ok(forgeCommitChanges, { ...everything, files: ["a.txt"], complete: false });
  await room.ok(forgeEditFile, { file_path: "a.txt", edits: [{ old_text: "two", new_text: "2" }] });
  expect(await room.ok(forgeCommitChanges, everything)).toMatchObject({ files_modified: ["a.txt"] });
});

test("completing what is committed already goes past a person's work, named again or with no files at all", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "new.txt", "new\n");
  await room.ok(forgeCommitChanges, { ...everything, complete: false });
  personWorks(room);
  const refusal = await room.refused(forgeCommitChanges, everything);
  expect(refusal.next).toContainEqual(expect.objectContaining({ input: { message: "MESSAGE", files: [] } }));
  expect(await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] })).toMatchObject({
    files_modified: [],
    branch_merged: true,
  });
  expect(room.git("status", "--porcelain")).toBe(personsStatus);
});

test("a hook that takes a person's work into the commit keeps it from being merged", async () => {
  const room = openShared();
  room.hook("pre-commit", "git add --all");
  await room.trustAll();
  const { branch } = await begin(room);
  await write(room, "new.txt", "new\n");
  room.put({ "theirs.txt": "mine\n" });
  const answer = await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] });
  expect(answer).toMatchObject({ branch_merged: false, branch_kept: branch, task_status: "in_progress" });
  const said = JSON.stringify(answer["warnings"]);
  expect(said).toContain("Not merged: a hook added theirs.txt to the commit");
  expect(said).not.toContain("unchanged in the folder");
  for (const files of [undefined, [], ["new.txt"]])
    expect(await room.ok(forgeCommitChanges, { ...everything, files })).toMatchObject({ branch_merged: false });
  expect(room.git("log", "--format=%s", "main")).toBe("first");
  expect(await room.ok(forgeCommitChanges, { ...everything, files: ["theirs.txt"] })).toMatchObject({
    branch_merged: true,
  });
});

test("until a person has taken it out of the branch", async () => {
  const room = openShared();
  room.hook("pre-commit", "git add --all");
  await room.trustAll();
  await begin(room);
  await write(room, "new.txt", "new\n");
  room.put({ "theirs.txt": "mine\n" });
  await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"], complete: false });
  expect(await room.ok(forgeCommitChanges, everything)).toMatchObject({ branch_merged: false, success: false });
  room.git("checkout", "--quiet", "main", "--", "theirs.txt");
  room.git("commit", "--quiet", "--no-verify", "--message", "out again");
  expect(await room.ok(forgeCommitChanges, everything)).toMatchObject({ branch_merged: true });
  expect(room.git("show", "main:theirs.txt")).toBe("theirs");
});

test("nor is it forgotten where the process was killed before it could say so", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "new.txt", "new\n");
  room.put({ "theirs.txt": "mine\n" });
  const deed = { kind: "commit", head: room.git("rev-parse", "HEAD"), aside: ["theirs.txt", "staged.txt"] };
  room.git("add", "--all");
  room.git("commit", "--quiet", "--message", "x");
  const intent = JSON.stringify({ pid: 2 ** 30, mark: "another", deed });
  await room.database
    .forTables<WorkbenchTables>()
    .transaction((tx) => tx.updateTable("execution").set({ intent }).execute());
  const answer = await room.ok(forgeCommitChanges, everything);
  expect(answer).toMatchObject({ branch_merged: false });
  expect(JSON.stringify(answer["warnings"])).toContain("a hook added theirs.txt to the commit");
});

test("nor is it merged where a hook changed what was committed, whoever wrote it", async () => {
  const room = openShared();
  room.hook("pre-commit", "echo more >> new.txt");
  await room.trustAll();
  await begin(room);
  await write(room, "new.txt", "new\n");
  const answer = await room.ok(forgeCommitChanges, everything);
  expect(answer).toMatchObject({ branch_merged: false, task_status: "in_progress" });
  expect(JSON.stringify(answer["warnings"])).toContain("new.txt changed after the commit");
});

test("with auto_commit what Forge wrote goes along, and a person's work does not", async () => {
  const room = openShared();
  await begin(room, { auto_commit: true });
  await write(room, "one.txt", "1\n");
  await write(room, "two.txt", "2\n");
  personWorks(room);
  expect(await room.refused(forgeCommitChanges, everything)).toMatchObject({ details: { total: 3 } });
  expect(await room.ok(forgeCommitChanges, { ...everything, files: ["one.txt"] })).toMatchObject({
    files_modified: ["one.txt", "two.txt"],
    branch_merged: true,
  });
  expect(room.git("status", "--porcelain")).toBe(personsStatus);
});

test("what Forge wrote and nobody named keeps the task from being completed, as ever", async () => {
  const room = openShared();
  await begin(room);
  await write(room, "one.txt", "1\n");
  await write(room, "two.txt", "2\n");
  personWorks(room);
  expect(await room.refused(forgeCommitChanges, { ...everything, files: ["one.txt"] })).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { uncommitted: ["two.txt"] },
  });
});

test("where the assistant has tools of its own, all that changed in the folder is the task's", async () => {
  const room = openShared();
  await begin(room);
  room.put({ "new.txt": "new\n", "a.txt": "changed\n" });
  expect(await room.ok(forgeCommitChanges, everything)).toMatchObject({ files_modified: ["a.txt", "new.txt"] });
});

test("where it is not known to have any, what nobody wrote through Forge is committed by name alone", async () => {
  const room = openShared();
  const harness = { ...ada, writesThroughForge: true as const };
  const { branch } = await begin(room);
  room.put({ "new.txt": "new\n", "theirs.txt": "mine\n" });
  const refusal = await room.refused(forgeCommitChanges, everything, harness);
  expect(refusal).toMatchObject({ code: "CONFLICT_ERROR", details: { others: ["new.txt", "theirs.txt"], own: [] } });
  expect(refusal.next?.[0]).toMatchObject(nameFiles);
  expect(room.git("log", "--format=%s", branch)).toBe("first");
  const answer = await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] }, harness);
  expect(answer).toMatchObject({ files_modified: ["new.txt"], branch_merged: true });
  expect(room.git("status", "--porcelain")).toBe(" M theirs.txt");
});

test("a work tree is the task's alone: what was written there past Forge's tools is committed with the rest", async () => {
  const room = openShared();
  const { root } = await begin(room, { isolation: "worktree" });
  await write(room, "new.txt", "new\n");
  room.put({ "made.txt": "made\n", "new.txt": "new\nand more\n" }, root);
  personWorks(room);
  expect(await room.ok(forgeCommitChanges, everything)).toMatchObject({
    files_modified: ["made.txt", "new.txt"],
    branch_merged: true,
  });
  expect(room.git("status", "--porcelain")).toBe(personsStatus);
});
