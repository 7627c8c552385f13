import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testWith } from "../../../../test/harness/faults/faults.ts";
import { committingSandbox } from "../../../../test/harness/git/committing.ts";
import { removeFile, type Sandbox, writeBytesName, writeFiles } from "../../../../test/harness/git/git.ts";
import { Git } from "../git.ts";
import type { RepositoryWork } from "../work.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let project: string;
let work: RepositoryWork;
beforeEach(() => {
  ({ sandbox, project, work } = committingSandbox());
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const commit = (paths: string[], message = "Change\n", trailers: Record<string, string> = {}) =>
  work.commits.create({ message, trailers, paths }, signal);
const index = () => readFileSync(join(project, ".git", "index"));

describe("E19 a commit", () => {
  it("holds the named files as they are, new, changed and deleted, and nothing else", async () => {
    writeFiles(project, { "file.txt": "two\n", "new/a.txt": "a\n", "other.txt": "staged\n", "loose.txt": "l\n" });
    removeFile(project, "old.txt");
    git("add", "other.txt");
    writeFiles(project, { "other.txt": "and changed again\n" });
    const made = await commit(["file.txt", "new/a.txt", "old.txt"]);
    expect(made).toEqual({
      commit: git("rev-parse", "HEAD"),
      files: ["file.txt", "new/a.txt", "old.txt"],
      hookOutput: "",
    });
    expect(git("show", "--name-status", "--format=%an <%ae>")).toBe(
      "Ada <ada@example.org>\n\nM\tfile.txt\nA\tnew/a.txt\nD\told.txt",
    );
    expect(git("status", "--porcelain")).toBe("MM other.txt\n?? loose.txt");
    expect(git("show", ":other.txt")).toBe("staged");
  });

  it("takes what is in the work tree where something else is staged", async () => {
    writeFiles(project, { "file.txt": "staged\n" });
    git("add", "file.txt");
    writeFiles(project, { "file.txt": "now\n" });
    await commit(["file.txt"]);
    expect(git("show", "HEAD:file.txt")).toBe("now");
    expect(git("status", "--porcelain")).toBe("");
  });

  it("keeps modes, and knows a file in a folder's place and the reverse", async () => {
    writeFiles(project, { "folder/x": "x\n" });
    await commit(["folder/x"]);
    rmSync(join(project, "folder"), { recursive: true });
    removeFile(project, "file.txt");
    writeFiles(project, { folder: "a file\n", "file.txt/x": "x\n", "run.sh": "#!/bin/sh\n" });
    chmodSync(join(project, "run.sh"), 0o755);
    symlinkSync("/etc/passwd", join(project, "link"));
    await commit(["folder", "folder/x", "file.txt", "file.txt/x", "run.sh", "link"]);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("ls-tree", "-r", "HEAD", "run.sh", "link")).toMatch(/^120000 .*\n100755 .*$/);
    expect(git("show", "HEAD:link")).toBe("/etc/passwd");
  });

  it("is refused before the first commit where nothing would be in it, and leaves the index as it is", async () => {
    const empty = sandbox.repository("empty");
    writeFiles(empty, { "a.txt": "a\n", "b.txt": "b\n" });
    sandbox.git(empty, "add", "a.txt");
    removeFile(empty, "a.txt");
    const order = { message: "m", trailers: {}, paths: ["a.txt"] };
    await expect(new Git(sandbox).work(empty).commits.create(order, signal)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      message: expect.stringContaining("nothing to commit"),
    });
    expect(sandbox.git(empty, "status", "--porcelain")).toBe("AD a.txt\n?? b.txt\n");
  });

  it("works before the first commit, with HEAD detached, in a linked work tree and with an intent to add", async () => {
    const empty = sandbox.repository("empty");
    writeFiles(empty, { "a.txt": "a\n", "b.txt": "b\n" });
    const first = await new Git(sandbox)
      .work(empty)
      .commits.create({ message: "m", trailers: {}, paths: ["a.txt"] }, signal);
    expect(first.files).toEqual(["a.txt"]);
    expect(sandbox.git(empty, "status", "--porcelain")).toBe("?? b.txt\n");
    const linked = join(sandbox.root, "linked");
    git("worktree", "add", "--quiet", "--detach", linked);
    writeFiles(linked, { "file.txt": "linked\n", "ita.txt": "i\n" });
    sandbox.git(linked, "add", "--intent-to-add", "ita.txt");
    const order = { message: "m", trailers: {}, paths: ["file.txt", "ita.txt"] };
    await new Git(sandbox).work(linked).commits.create(order, signal);
    expect(sandbox.git(linked, "status", "--porcelain")).toBe("");
    expect(git("status", "--porcelain")).toBe("");
  });

  it("takes odd names", async () => {
    const names = [
      "new\nline",
      'quo"te',
      "back\\slash",
      " space ",
      "-dash",
      ":(exclude)x",
      "*",
      "ünïcode",
      "tab\there",
    ];
    writeFiles(project, Object.fromEntries(names.map((name) => [name, "1\n"])));
    writeFiles(project, { x: "not this\n" });
    const made = await commit(names);
    expect(made.files.toSorted()).toEqual(names.toSorted());
    expect(git("status", "--porcelain")).toBe("?? x");
  });

  testWith(["linux"], "takes names that are no UTF-8, as they are shown", async () => {
    writeBytesName(project, Buffer.from([0x61, 0xff]));
    const { changes } = await work.changes.list({ since: git("rev-parse", "HEAD"), limit: 10 }, signal);
    expect(changes).toEqual([{ path: "a\\xFF", action: "created", additions: 1, deletions: 0 }]);
    expect((await commit(["a\\xFF"])).files).toEqual(["a\\xFF"]);
    expect(git("status", "--porcelain")).toBe("");
  });

  it.each([
    ["", "empty"],
    [".", "empty"],
    ["/etc/passwd", "absolute"],
    ["../outside.txt", "contains .."],
    ["folder/../../x", "contains .."],
    [".git/config", "git's own folder"],
    ["sub/.GIT/config", "git's own folder"],
    ["git~1/config", "git's own folder"],
    ["folder", "is a folder"],
    ["folder/", "names a folder"],
    ["ignored.log", "ignores it"],
    [":/", "names a folder"],
    [":(top)file.txt", "does not exist"],
    ["*", "does not exist"],
    ["absent.txt", "does not exist"],
    ["nested/inner.txt", "another repository"],
    ["way/secret.txt", "does not exist"],
    ["a\0b", "NUL"],
  ])("refuses %j (%s)", async (path, why) => {
    writeFiles(project, { "folder/x": "x\n", "ignored.log": "i\n", "file.txt": "two\n" });
    writeFiles(sandbox.root, { "outside.txt": "o\n", "secret/secret.txt": "s\n" });
    symlinkSync(join(sandbox.root, "secret"), join(project, "way"));
    sandbox.repository("project/nested", { "inner.txt": "i\n" });
    const before = index();
    await expect(commit(["file.txt", path])).rejects.toEqual(
      expect.objectContaining({ code: "VALIDATION_ERROR", message: expect.stringContaining(why) }),
    );
    expect(index().equals(before)).toBe(true);
    expect(git("rev-list", "--count", "HEAD")).toBe("1");
  });

  it("of nothing is refused, and leaves what was staged", async () => {
    writeFiles(project, { "file.txt": "staged\n" });
    git("add", "file.txt");
    writeFiles(project, { "file.txt": "one\n" });
    const before = index();
    await expect(commit(["file.txt"])).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await expect(commit([])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(index().equals(before)).toBe(true);
  });

  it("is refused in the middle of a merge, which it would end", async () => {
    writeFiles(project, { "file.txt": "two\n", ".git/MERGE_HEAD": `${git("rev-parse", "HEAD")}\n` });
    await expect(commit(["file.txt"])).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  });

  it("needs to know whose it is, and says how", async () => {
    writeFiles(join(sandbox.root, "home"), { ".gitconfig": "" });
    writeFiles(project, { "file.txt": "two\n" });
    await expect(commit(["file.txt"])).rejects.toMatchObject({
      code: "CONFIG_ERROR",
      next: [expect.stringContaining("user.name"), expect.stringContaining("user.email")],
    });
  });

  it("takes a file that replaced a tracked folder behind a link as deleted", async () => {
    writeFiles(project, { "folder/x": "x\n" });
    await commit(["folder/x"]);
    renameSync(join(project, "folder"), join(sandbox.root, "moved"));
    symlinkSync(join(sandbox.root, "moved"), join(project, "folder"));
    await commit(["folder/x", "folder"]);
    expect(git("ls-tree", "HEAD", "folder")).toMatch(/^120000/);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("puts everything back where one of its files cannot be staged", async () => {
    writeFiles(project, { "folder/x": "x\n" });
    await commit(["folder/x"]);
    rmSync(join(project, "folder"), { recursive: true });
    removeFile(project, "old.txt");
    writeFiles(project, { folder: "a file\n" });
    const before = index();
    await expect(commit(["old.txt", "folder"])).rejects.toMatchObject({ name: "ForgeError" });
    expect(index().equals(before)).toBe(true);
  });

  it("takes a submodule's new commit, and knows sparse and split repositories", async () => {
    const inner = sandbox.repository("inner", { "inner.txt": "i\n" });
    git("submodule", "--quiet", "add", inner, "sub");
    git("commit", "--quiet", "--message", "sub");
    git("config", "core.splitIndex", "true");
    git("update-index", "--split-index");
    git("sparse-checkout", "set", "--no-cone", "/*", "!/old.txt");
    const since = git("rev-parse", "HEAD");
    expect(existsSync(join(project, "old.txt"))).toBe(false);
    expect(await work.changes.list({ since, limit: 10 }, signal)).toEqual({ changes: [], total: 0 });
    expect(await work.treeHash(signal)).toBe(git("rev-parse", "HEAD^{tree}"));
    sandbox.git(join(project, "sub"), "commit", "--quiet", "--allow-empty", "--message", "newer");
    writeFiles(project, { "file.txt": "two\n" });
    expect((await work.changes.list({ since, limit: 10 }, signal)).changes.map(({ path }) => path)).toEqual([
      "file.txt",
      "sub",
    ]);
    expect((await commit(["sub", "file.txt"])).files).toEqual(["file.txt", "sub"]);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("ls-tree", "HEAD", "old.txt")).toContain("old.txt");
  });

  it("works in a repository with longer ids", async () => {
    const modern = join(sandbox.root, "modern");
    mkdirSync(modern);
    sandbox.git(modern, "init", "--quiet", "--object-format=sha256");
    writeFiles(modern, { "a.txt": "a\n", "b.txt": "b\n" });
    const there = new Git(sandbox).work(modern);
    const first = await there.commits.create({ message: "m", trailers: {}, paths: ["a.txt", "b.txt"] }, signal);
    expect(first.commit).toMatch(/^[0-9a-f]{64}$/);
    removeFile(modern, "b.txt");
    writeFiles(modern, { "c.txt": "c\n" });
    expect(
      (await there.changes.list({ since: first.commit, limit: 10 }, signal)).changes.map(({ path, action }) => [
        path,
        action,
      ]),
    ).toEqual([
      ["b.txt", "deleted"],
      ["c.txt", "created"],
    ]);
    await there.commits.create({ message: "m", trailers: {}, paths: ["b.txt", "c.txt"] }, signal);
    expect(sandbox.git(modern, "status", "--porcelain")).toBe("");
    expect(await there.treeHash(signal)).toBe(sandbox.git(modern, "rev-parse", "HEAD^{tree}").trim());
  });
});
