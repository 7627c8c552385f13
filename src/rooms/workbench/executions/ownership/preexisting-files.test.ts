import { expect, test } from "vitest";
import { testWith } from "../../../../../test/harness/faults/faults.ts";
import { twoSpellings } from "../../../../../test/harness/fs/two-spellings.ts";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { begin, write } from "../../../../../test/harness/rooms/workbench/workbench-shared-folder.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { PreexistingFiles } from "./preexisting-files.ts";

testWith(["linux"], "another spelling is another file, unless the file system says that it is the same", () => {
  const untrackedBefore = ["readme.md"];
  const apart = new PreexistingFiles({ root: twoSpellings({ apart: [["readme.md", "README.md"]] }), untrackedBefore });
  expect(["readme.md", "./readme.md", "README.md"].map((path) => apart.isOne(path))).toEqual([true, true, false]);
  const same = new PreexistingFiles({ root: twoSpellings({ same: [["readme.md", "README.md"]] }), untrackedBefore });
  expect(["README.md", "Readme.md"].map((path) => same.isOne(path))).toEqual([true, false]);
});

testWith(["linux"], "where both spellings are gone, the folder is asked by another name", () => {
  const untrackedBefore = ["notes.txt"];
  const apart = new PreexistingFiles({ root: twoSpellings({ apart: [[".git", "x"]] }), untrackedBefore });
  expect(apart.isOne("Notes.txt")).toBe(false);
  const same = new PreexistingFiles({ root: twoSpellings({ same: [[".git", ".GIT"]] }), untrackedBefore });
  expect(same.isOne("Notes.txt")).toBe(true);
});

test("what git holds in a folder that is otherwise the person's is not the person's", () => {
  const persons = new PreexistingFiles({ root: "/nowhere", untrackedBefore: ["build/", "own.txt"] });
  expect(persons.hasChange({ path: "build/new.o", action: "created" })).toBe(true);
  expect(persons.hasChange({ path: "build/kept.txt", action: "modified" })).toBe(false);
  expect(persons.hasChange({ path: "own.txt", action: "modified" })).toBe(true);
});

testWith(
  ["linux"],
  "a tracked file that differs from a person's only in its spelling is committed with the rest",
  async () => {
    const room = openRoom({
      files: { "README.md": "one\n", "a.txt": "one\n", "Build/x.cs": "one\n", ".gitignore": "/build/\n" },
    });
    room.put({ "readme.md": "mine\n" });
    room.put({ "build/out.o": "mine\n" });
    await begin(room);
    for (const path of ["README.md", "a.txt", "Build/x.cs"]) await write(room, path, "the task's\n");
    expect(await room.ok(forgeCommitChanges, { message: "x", files: ["Build/x.cs"], complete: false })).toMatchObject({
      files_modified: ["Build/x.cs"],
    });
    const answer = await room.ok(forgeCommitChanges, { message: "y" });
    expect(answer).toMatchObject({ files_modified: ["README.md", "a.txt"], branch_merged: true });
    expect(room.git("status", "--porcelain")).toBe("?? readme.md");
  },
);

test("a file that git was told to pass over, and that it sees again, is named where it is left out", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", "settings.txt": "one\n" } });
  room.git("update-index", "--skip-worktree", "settings.txt");
  await begin(room);
  await write(room, "a.txt", "the task's\n");
  room.put({ "settings.txt": "mine\n" });
  room.git("update-index", "--no-skip-worktree", "settings.txt");
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ files_modified: ["a.txt"], branch_merged: true });
  expect(JSON.stringify(answer["warnings"])).toContain("Not committed, although changed: settings.txt.");
});
