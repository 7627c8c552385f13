import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";
import { makeSandbox, plainGit, type Sandbox, writeFiles } from "../../../../test/harness/git/git.ts";
import { Git } from "../git.ts";
import type { RepositoryWork } from "../work.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let project: string;
let work: RepositoryWork;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", { "file.txt": "one\n", ".gitignore": "*.log\n" });
  work = new Git(sandbox).work(project);
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const tipOf = (branch: string) => git("rev-parse", branch);
const conflict = (text = "") =>
  expect.objectContaining({ code: "CONFLICT_ERROR", message: expect.stringContaining(text) });

describe("where HEAD is", () => {
  it("on a branch, detached, before the first commit, and on something that is no branch", async () => {
    const commit = tipOf("HEAD");
    expect(await work.head(signal)).toEqual({ branch: "main", commit });
    git("checkout", "--quiet", "--detach");
    expect(await work.head(signal)).toEqual({ branch: undefined, commit });
    git("symbolic-ref", "HEAD", "refs/remotes/origin/main");
    expect(await work.head(signal)).toEqual({ branch: undefined, commit: undefined });
    const empty = new Git(sandbox).work(sandbox.repository("empty"));
    expect(await empty.head(signal)).toEqual({ branch: "main", commit: undefined });
  });
});

describe("a branch", () => {
  it("is started in place without touching a file, staged or not", async () => {
    writeFiles(project, { "file.txt": "dirty\n", "staged.txt": "s\n", "new.txt": "n\n" });
    git("add", "staged.txt");
    const status = git("status", "--porcelain");
    await work.branches.start("task-1-login", signal);
    expect(await work.head(signal)).toEqual({ branch: "task-1-login", commit: tipOf("main") });
    expect(git("status", "--porcelain")).toBe(status);
  });

  it("that exists, or stands where a folder of names would have to be, is refused", async () => {
    git("branch", "task-1");
    await expect(work.branches.start("task-1", signal)).rejects.toEqual(conflict("already exists"));
    await expect(work.branches.start("task-1/more", signal)).rejects.toEqual(conflict("part of it"));
    expect((await work.head(signal)).branch).toBe("main");
  });

  it("cannot start before the first commit, nor in the middle of a merge", async () => {
    const empty = new Git(sandbox).work(sandbox.repository("empty"));
    await expect(empty.branches.start("task", signal)).rejects.toEqual(conflict("no commit yet"));
    writeFileSync(join(project, ".git", "MERGE_HEAD"), `${tipOf("HEAD")}\n`);
    await expect(work.branches.start("task", signal)).rejects.toEqual(conflict("merge is in progress"));
  });

  it("is made at a commit", async () => {
    await work.branches.create("task-1", tipOf("main"), signal);
    expect(await work.branches.tip("task-1", signal)).toBe(tipOf("main"));
    expect(await work.branches.tip("task-3", signal)).toBeUndefined();
    await expect(work.branches.create("task-3", "main", signal)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("is deleted only where it is expected, and nobody is on it", async () => {
    git("branch", "task");
    const old = tipOf("task");
    git("commit", "--quiet", "--allow-empty", "--message", "on");
    git("branch", "--force", "task");
    await expect(work.branches.delete("task", old, signal)).rejects.toEqual(conflict("has moved"));
    git("worktree", "add", "--quiet", join(sandbox.root, "linked"), "task");
    await expect(work.branches.delete("task", tipOf("task"), signal)).rejects.toEqual(conflict("in use"));
    git("worktree", "remove", join(sandbox.root, "linked"));
    await work.branches.delete("task", tipOf("task"), signal);
    expect(await work.branches.tip("task", signal)).toBeUndefined();
    await expect(work.branches.delete("task", old, signal)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is not deleted while it is being rebased somewhere", async () => {
    git("checkout", "--quiet", "-b", "task");
    for (const content of ["two\n", "three\n"]) {
      writeFiles(project, { "file.txt": content });
      git("commit", "--quiet", "--all", "--message", content);
    }
    expect(() => plainGit(project, ["rebase", "--exec", "false", "HEAD~1"], sandbox.environment)).toThrow();
    expect((await work.head(signal)).branch).toBeUndefined();
    await expect(work.branches.delete("task", tipOf("task"), signal)).rejects.toEqual(conflict("in use"));
  });

  it("knows what the other does not have", async () => {
    git("checkout", "--quiet", "-b", "task");
    for (const name of ["a", "b", "c"]) git("commit", "--quiet", "--allow-empty", "--message", name);
    const [main, task] = [tipOf("main"), tipOf("task")];
    expect(await work.branches.contains("main", task, signal)).toBe(false);
    expect(await work.branches.contains("task", main, signal)).toBe(true);
    expect(await work.branches.contains("task", "0".repeat(40), signal)).toBe(false);
    expect(await work.commits.beyond(task, [main], 10, signal)).toContain(task);
    expect(await work.commits.beyond(main, [task], 10, signal)).toEqual([]);
    expect(await work.commits.isInHistory(main, [task], signal)).toBe(true);
    expect(await work.commits.isInHistory(task, [main, task], signal)).toBe(true);
    // A merge is a commit of its own, whatever its parents are.
    const merge = git("commit-tree", "-m", "Merge", "-p", task, "-p", main, `${task}^{tree}`).trim();
    expect(await work.commits.isInHistory(merge, [task, main], signal)).toBe(false);
    expect(await work.branches.unmergedCommits("task", "main", 2, signal)).toEqual([tipOf("task"), tipOf("task~1")]);
    expect(await work.branches.unmergedCommits("main", "task", 2, signal)).toEqual([]);
  });
});

describe("E12 a branch's name", () => {
  const hostile = [
    "",
    "-b",
    "--all",
    "..",
    "a..b",
    "a b",
    "a\nb",
    "a~1",
    "a^",
    "a:b",
    "@",
    "HEAD",
    "@{-1}",
    "x@{1}",
    "a.lock",
  ];
  const more = [
    "a/",
    "/a",
    "a//b",
    ".a",
    "a/.b",
    "a.",
    "refs/heads/a",
    "f".repeat(40),
    "a\0b",
    "a\\b",
    "a*",
    "\ud800",
    "é".repeat(200),
  ];

  it.each([...hostile, ...more])("%j is refused everywhere", async (name) => {
    const commit = tipOf("HEAD");
    for (const attempt of [
      () => work.branches.start(name, signal),
      () => work.branches.create(name, commit, signal),
      () => work.branches.switchTo(name, signal),
      () => work.branches.delete(name, commit, signal),
      () => work.branches.tip(name, signal),
      () => work.merges.plan(name, "main", signal),
      () => work.merges.merge({ base: "main", branch: name, message: "m", trailers: {} }, signal),
    ])
      await expect((async () => attempt())()).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it("that is taken is one that git takes", async () => {
    const part = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 8 });
    const name = fc.oneof(
      part,
      fc.tuple(part, part).map((parts) => parts.join("/")),
      fc.stringMatching(/^[-.@{}a-z/~]{1,10}$/),
    );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(name, async (branch) => {
        try {
          await work.branches.create(branch, tipOf("main"), signal);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/VALIDATION_ERROR|CONFLICT_ERROR/) });
          return;
        }
        taken++;
        expect(git("check-ref-format", "--branch", branch)).toBe(branch.trim());
        expect(await work.branches.tip(branch, signal)).toBe(tipOf("main"));
      }),
      { numRuns: 40 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});

describe("switching", () => {
  beforeEach(() => {
    git("checkout", "--quiet", "-b", "task");
    writeFiles(project, { "file.txt": "two\n", "added/deep.txt": "new\n", "kept.log": "tracked\n" });
    git("add", "--force", "--all");
    git("commit", "--quiet", "--message", "task");
    git("checkout", "--quiet", "main");
  });

  it("brings the branch's files, and leaves others' changes", async () => {
    writeFiles(project, { "mine.txt": "mine\n", ".gitignore": "*.log\n*.tmp\n", "x.tmp": "ignored\n" });
    await work.branches.switchTo("task", signal);
    expect(readFileSync(join(project, "file.txt"), "utf8")).toBe("two\n");
    expect(git("status", "--porcelain")).toBe("M .gitignore\n?? mine.txt");
    await work.branches.switchTo("task", signal);
    await work.branches.switchTo("main", signal);
    expect(existsSync(join(project, "added"))).toBe(false);
    expect(readFileSync(join(project, "x.tmp"), "utf8")).toBe("ignored\n");
  });

  it.each([
    ["a change", { "file.txt": "mine\n" }, "file.txt"],
    ["an untracked file", { "added/deep.txt": "mine\n" }, "added/deep.txt"],
    ["an untracked file where a folder is to be", { added: "mine\n" }, "added"],
    ["an ignored file", { "kept.log": "mine\n" }, "kept.log"],
    ["a folder with files where a file is to be", { "added/deep.txt/mine": "mine\n" }, "added/deep.txt"],
  ])("overwrites nothing: %s", async (_what, files, named) => {
    writeFiles(project, files);
    await expect(work.branches.switchTo("task", signal)).rejects.toEqual(
      expect.objectContaining({ code: "CONFLICT_ERROR", details: expect.objectContaining({ files: [named] }) }),
    );
    expect((await work.head(signal)).branch).toBe("main");
    for (const [name, content] of Object.entries(files))
      expect(readFileSync(join(project, name), "utf8")).toBe(content);
  });

  it("overwrites nothing that is only staged", async () => {
    writeFiles(project, { "file.txt": "staged\n" });
    git("add", "file.txt");
    writeFiles(project, { "file.txt": "one\n" });
    await expect(work.branches.switchTo("task", signal)).rejects.toEqual(conflict("file.txt"));
    expect(git("diff", "--cached", "--name-only")).toBe("file.txt");
  });

  it("D05 is undone where another program replaced a folder by a link while git wrote there", async () => {
    const [outside, bin] = [join(sandbox.root, "outside"), join(sandbox.root, "bin")];
    for (const folder of [outside, bin]) mkdirSync(folder);
    const real = `${git("--exec-path")}/git`;
    const swap = `mv "${project}/added" "${outside}/" && ln -s "${outside}/added" "${project}/added"`;
    const writes = `*" switch "*) rm -f "$0"; ln -s "${real}" "$0"; "${real}" "$@" && ${swap};;`;
    writeFileSync(join(bin, "git"), `#!/bin/sh\ncase " $* " in ${writes} *) exec "${real}" "$@";; esac\n`);
    chmodSync(join(bin, "git"), 0o755);
    const environment = { ...sandbox.environment, PATH: `${bin}:${sandbox.environment["PATH"]}` };
    const there = new Git({ ...sandbox, environment }).work(project);
    const switching = there.branches.switchTo("task", signal);
    await expect(switching).rejects.toEqual(conflict("another program moved or replaced added/deep.txt"));
    expect((await work.head(signal)).branch).toBe("main");
    expect(readFileSync(join(project, "file.txt"), "utf8")).toBe("one\n");
  });

  it("goes on where one was ended in the middle", async () => {
    writeFiles(project, { "file.txt": "two\n", "added/deep.txt": "new\n" });
    await work.branches.switchTo("task", signal);
    expect(git("status", "--porcelain")).toBe("");
    expect((await work.head(signal)).branch).toBe("task");
  });

  it("refuses a branch that is checked out elsewhere, and one that does not exist", async () => {
    git("worktree", "add", "--quiet", join(sandbox.root, "linked"), "task");
    await expect(work.branches.switchTo("task", signal)).rejects.toEqual(conflict("already checked out"));
    await expect(work.branches.switchTo("absent", signal)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("takes a branch, never a tag or a file of that name", async () => {
    git("tag", "task", "main");
    writeFiles(project, { task: "a file\n" });
    await work.branches.switchTo("task", signal);
    expect((await work.head(signal)).branch).toBe("task");
  });
});

describe("E23 a lock that another git left", () => {
  it("is told of, with its age, and stays", async () => {
    git("branch", "task");
    writeFiles(project, { "file.txt": "two\n" });
    const lock = join(project, ".git", "index.lock");
    writeFileSync(lock, "");
    const failing = work.commits.create({ message: "m", trailers: {}, paths: ["file.txt"] }, signal);
    await expect(failing).rejects.toEqual(conflict("index.lock"));
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ details: { lock, ageSeconds: expect.any(Number) } });
    await expect(work.branches.switchTo("task", signal)).rejects.toEqual(conflict("index.lock"));
    expect(existsSync(lock)).toBe(true);
    expect(git("rev-list", "--count", "HEAD")).toBe("1");
  });

  testWith(["linux"], "is told of with the process that has it open", async () => {
    const descriptor = openSync(join(project, ".git", "index.lock"), "wx");
    try {
      writeFiles(project, { "file.txt": "two\n" });
      const failing = work.commits.create({ message: "m", trailers: {}, paths: ["file.txt"] }, signal);
      await expect(failing).rejects.toMatchObject({ details: { pid: process.pid } });
    } finally {
      closeSync(descriptor);
    }
  });

  testWith(["posix"], "is waited for where it goes away", async () => {
    const lock = join(project, ".git", "index.lock");
    const { PATH = "" } = sandbox.environment;
    const real = PATH.split(":").find((folder) => existsSync(join(folder, "git"))) ?? "";
    const folder = join(sandbox.root, "removing");
    const unlock = `case " $* " in *" update-index "*) rm '${lock}';; esac`;
    writeFiles(folder, { git: `#!/bin/sh\n'${real}/git' "$@"\ncode=$?\n[ $code = 0 ] || ${unlock}\nexit $code\n` });
    chmodSync(join(folder, "git"), 0o755);
    writeFiles(project, { "file.txt": "two\n", ".git/index.lock": "" });
    const environment = { ...sandbox.environment, PATH: `${folder}:${PATH}` };
    await new Git({ environment })
      .work(project)
      .commits.create({ message: "m", trailers: {}, paths: ["file.txt"] }, signal);
    expect(git("rev-list", "--count", "HEAD")).toBe("2");
  });
});
