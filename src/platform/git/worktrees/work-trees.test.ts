import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSandbox, type Sandbox, writeFiles } from "../../../../test/harness/git/git.ts";
import { Git } from "../git.ts";
import type { RepositoryWork } from "../work.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let project: string;
let work: RepositoryWork;
let folder: string;
let commit: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", { "file.txt": "one\n", "a/b.txt": "b\n", ".gitignore": "*.log\n" });
  work = new Git(sandbox).work(project);
  folder = join(work.workTrees.places.apart, "e1");
  commit = git("rev-parse", "HEAD");
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const add = (at = folder, branch = "task") => work.workTrees.add(at, branch, commit, signal);
const inProject = () => join(work.workTrees.places.inProject, "e1");
const remove = (at = folder) => work.workTrees.remove(at, signal);

describe("a work tree", () => {
  it("is made although another is half made at that moment", async () => {
    const half = join(project, ".git", "worktrees", "half");
    writeFiles(half, {
      gitdir: `${join(sandbox.root, "half", ".git")}\n`,
      HEAD: "ref: refs/heads/half\n",
      commondir: "",
    });
    const made = add();
    setTimeout(() => rmSync(half, { recursive: true, force: true }), 300);
    await made;
    expect(await new Git(sandbox).work(folder).head(signal)).toEqual({ branch: "task", commit });
  });

  it("is made with its branch, outside the project, in a private folder", async () => {
    writeFiles(project, { "file.txt": "dirty\n" });
    await add();
    expect(dirname(folder)).toMatch(new RegExp(`^${sandbox.root}/home/\\.forge/worktrees/project-[0-9a-f]{8}$`));
    expect(statSync(dirname(folder)).mode & 0o777).toBe(0o700);
    expect(existsSync(join(project, ".forge"))).toBe(false);
    expect(readFileSync(join(folder, "file.txt"), "utf8")).toBe("one\n");
    expect(git("status", "--porcelain")).toBe("M file.txt");
    expect(await work.workTrees.list(signal)).toMatchObject([
      { path: project, branch: "main", commit, isMain: true, isGone: false },
      { path: folder, branch: "task", commit, isMain: false, isGone: false },
    ]);
    const inside = new Git(sandbox).work(folder);
    expect(await inside.head(signal)).toEqual({ branch: "task", commit });
    expect(inside.workTrees.places).toEqual(work.workTrees.places);
  });

  it("in the project is in a folder that git ignores", async () => {
    await add(inProject());
    expect(inProject()).toBe(join(project, ".forge", "worktrees", "e1"));
    expect(git("status", "--porcelain")).toBe("");
    expect(await remove(inProject())).toEqual([]);
  });

  it("is not made in a folder of another project of the same name", async () => {
    const other = sandbox.repository("other/project", { "file.txt": "other\n" });
    const there = new Git(sandbox).work(other).workTrees;
    expect(there.places.apart).not.toBe(work.workTrees.places.apart);
    await expect(add(join(there.places.apart, "e1"))).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("is not made in a folder that is a link", async () => {
    const outside = join(sandbox.root, "outside");
    mkdirSync(outside);
    mkdirSync(sandbox.workTreesHome, { recursive: true });
    symlinkSync(outside, work.workTrees.places.apart);
    await expect(add()).rejects.toMatchObject({ code: "STORE_ERROR" });
    expect(existsSync(join(outside, "e1"))).toBe(false);
  });

  it("is not made over what is there, or elsewhere", async () => {
    git("branch", "taken");
    await expect(add(folder, "taken")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    mkdirSync(folder, { recursive: true });
    await expect(add()).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    const places = [
      join(sandbox.root, "out"),
      join(folder, "deeper"),
      `${work.workTrees.places.apart}/../x`,
      `${work.workTrees.places.apart}/-x`,
    ];
    for (const place of [...places, "e1", work.workTrees.places.apart, join(work.workTrees.places.apart, ".hidden")]) {
      await expect(add(place, "other")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      await expect(remove(place)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
    expect(git("branch", "--format=%(refname:short)")).toBe("main\ntaken");
  });

  it.each([".forge", ".forge/worktrees"])("is not made behind a link: %s", async (name) => {
    const outside = join(sandbox.root, "outside");
    mkdirSync(outside);
    mkdirSync(join(project, name, ".."), { recursive: true });
    symlinkSync(outside, join(project, name));
    await expect(add(inProject())).rejects.toMatchObject({ code: "STORE_ERROR" });
    expect(existsSync(join(outside, "e1"))).toBe(false);
    expect(await work.branches.tip("task", signal)).toBeUndefined();
  });

  it("leaves no branch where it cannot be made", async () => {
    writeFiles(project, { ".git/worktrees": "in the way\n" });
    await expect(add()).rejects.toMatchObject({ name: "ForgeError" });
    expect(await work.branches.tip("task", signal)).toBeUndefined();
  });

  it("needs trust where a filter would have to write its files", async () => {
    writeFiles(project, { ".gitattributes": "*.bin filter=lfs\n", "a.bin": "pointer\n" });
    git("add", "--all");
    git("commit", "--quiet", "--message", "lfs");
    commit = git("rev-parse", "HEAD");
    await expect(add()).rejects.toMatchObject({ code: "TRUST_REQUIRED", details: { files: ["a.bin"] } });
    expect(existsSync(folder)).toBe(false);
    await new Git(sandbox).work(project, { trusted: true }).workTrees.add(folder, "task", commit, signal);
    expect(existsSync(join(folder, "a.bin"))).toBe(true);
  });
});

it("E08 none is made of an untrusted repository that is configured otherwise in other work trees", async () => {
  writeFiles(project, { ".git/hidden": '[filter "x"]\n smudge = false\n' });
  git("config", "includeIf.gitdir:**/worktrees/**.path", "hidden");
  await expect(add()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  expect(await work.branches.tip("task", signal)).toBeUndefined();
});

describe("removing one", () => {
  it("leaves the branch with its commits, and takes ignored files along", async () => {
    await add();
    writeFiles(folder, { "file.txt": "two\n", "x.log": "ignored\n" });
    const { commit: made } = await new Git(sandbox)
      .work(folder)
      .commits.create({ message: "m", trailers: {}, paths: ["file.txt"] }, signal);
    expect(await new Git(sandbox).work(folder).workTrees.remove(folder, signal)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    expect(await work.branches.tip("task", signal)).toBe(made);
    expect(await work.workTrees.list(signal)).toHaveLength(1);
    expect(await remove()).toEqual([]);
  });

  it.each([
    ["a changed file", () => writeFiles(folder, { "file.txt": "mine\n" }), "file.txt"],
    ["a new file", () => writeFiles(folder, { "new\nname": "mine\n" }), "new\\nname"],
    ["a deleted file", () => rmSync(join(folder, "file.txt")), "file.txt"],
    ["a staged file", () => sandbox.git(folder, "rm", "--quiet", "--cached", "file.txt"), "file.txt"],
    ["a commit on no branch", () => detachedCommit(), "on no branch"],
    [
      "a merge under way",
      () => writeFiles(join(project, ".git", "worktrees", "e1"), { MERGE_HEAD: commit }),
      "merge is in progress",
    ],
    ["a lock of a person's", () => git("worktree", "lock", "--reason", "keep it", folder), "keep it"],
  ])("is refused with %s", async (_what, change, reason) => {
    await add();
    change();
    const reasons = await remove();
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toContain(reason);
    expect(existsSync(join(folder, ".git"))).toBe(true);
    expect(await work.workTrees.list(signal)).toHaveLength(2);
  });

  function detachedCommit(): void {
    sandbox.git(folder, "checkout", "--quiet", "--detach");
    sandbox.git(folder, "commit", "--quiet", "--allow-empty", "--message", "loose");
  }

  it("takes along what is expendable as long as it is as it was, also where the removing was killed", async () => {
    await add();
    const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]);
    writeFiles(folder, { "file.txt": "made\n", "made.txt": "made\n" });
    writeFileSync(odd, "made\n");
    rmSync(join(folder, "a", "b.txt"));
    const there = new Git(sandbox).work(folder);
    const prints = new Map<string, string | undefined>();
    for (const name of ["file.txt", "made.txt", "a/b.txt", "\\xFF"])
      prints.set(name, await there.files.fingerprint(name));
    expect([...prints.values()]).toEqual([...Array(2).fill(prints.get("file.txt")), "absent", prints.get("file.txt")]);
    const removeMost = () =>
      work.workTrees.remove(folder, signal, { isExpendable: (path, print) => prints.get(path) === print });

    writeFileSync(odd, "mine\n");
    expect(await removeMost()).toEqual(["1 uncommitted: \\xFF"]);
    writeFileSync(odd, "made\n");
    sandbox.git(folder, "add", "made.txt");
    expect(await removeMost()).toEqual(["1 uncommitted: made.txt"]);
    sandbox.git(folder, "reset", "--quiet");
    git("worktree", "lock", "--reason", "forge: being removed", folder);
    writeFiles(folder, { "made.txt": "mine\n" });
    expect(await removeMost()).toEqual(["1 uncommitted: made.txt"]);
    writeFiles(folder, { "made.txt": "made\n" });
    expect(await removeMost()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it("is refused where submodules have files, and works where they are empty", async () => {
    const inner = sandbox.repository("inner", { "inner.txt": "i\n" });
    git("submodule", "--quiet", "add", inner, "sub");
    git("commit", "--quiet", "--message", "sub");
    commit = git("rev-parse", "HEAD");
    await add();
    writeFiles(folder, { "sub/work.txt": "mine\n" });
    expect(await remove()).toEqual([expect.stringContaining("submodules with files in them: sub")]);
    rmSync(join(folder, "sub", "work.txt"));
    expect(await remove()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it("is refused for a folder that git does not know", async () => {
    mkdirSync(folder, { recursive: true });
    expect(await remove()).toEqual([expect.stringContaining("does not know")]);
  });

  it("goes on where the making or the removing was killed", async () => {
    await add();
    const entry = join(project, ".git", "worktrees", "e1");
    writeFileSync(join(entry, "locked"), "initializing");
    rmSync(join(entry, "index"));
    rmSync(join(folder, "file.txt"));
    writeFiles(folder, { "a/b.txt": "mine\n" });
    expect(await remove()).toEqual([expect.stringContaining("a/b.txt")]);
    writeFiles(folder, { "a/b.txt": "b\n" });
    expect(await remove()).toEqual([]);

    await add(folder, "second");
    git("worktree", "lock", "--reason", "forge: being removed", folder);
    rmSync(join(folder, "a"), { recursive: true });
    expect(await remove()).toEqual([]);

    await add(folder, "third");
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect(await remove()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    expect(await work.workTrees.list(signal)).toHaveLength(1);
  });
});

it("only Forge's work trees are forgotten where their folders are gone", async () => {
  const theirs = join(sandbox.root, "theirs");
  git("worktree", "add", "--quiet", theirs);
  await add();
  rmSync(theirs, { recursive: true });
  rmSync(folder, { recursive: true });
  expect(await work.workTrees.prune(signal)).toEqual([folder]);
  expect((await work.workTrees.list(signal)).map(({ path, isGone }) => [path, isGone])).toEqual([
    [project, false],
    [theirs, true],
  ]);
  await add(folder, "again");
});
