import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testWith } from "../../../../test/harness/faults/faults.ts";
import { makeSandbox, removeFile, type Sandbox, writeBytesName, writeFiles } from "../../../../test/harness/git/git.ts";
import { Git } from "../git.ts";
import type { RepositoryWork } from "../work.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let project: string;
let work: RepositoryWork;
let since: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", {
    "file.txt": "one\ntwo\nthree\n",
    "gone.txt": "1\n2\n",
    "same.txt": "same\n",
    ".gitignore": "*.log\n",
  });
  work = new Git(sandbox).work(project);
  since = git("rev-parse", "HEAD");
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const index = () => readFileSync(join(project, ".git", "index"));
const objects = () => readdirSync(join(project, ".git", "objects"), { recursive: true }).length;

describe("changes since a commit", () => {
  it("are those of the commits since, the index, the work tree and untracked files", async () => {
    writeFiles(project, { "committed.txt": "c\n" });
    git("add", "committed.txt");
    git("commit", "--quiet", "--message", "second");
    writeFiles(project, {
      "file.txt": "one\n2\nthree\nfour\n",
      "new/a.txt": "1\n2\n3",
      "b.bin": "a\0b",
      "x.log": "ignored",
    });
    removeFile(project, "gone.txt");
    writeFiles(project, { "staged.txt": "s\n" });
    git("add", "staged.txt");
    const before = [index(), objects()];
    expect(await work.changes.list({ since, limit: 100 }, signal)).toEqual({
      total: 6,
      changes: [
        { path: "b.bin", action: "created", additions: 0, deletions: 0 },
        { path: "committed.txt", action: "created", additions: 1, deletions: 0 },
        { path: "file.txt", action: "modified", additions: 2, deletions: 1 },
        { path: "gone.txt", action: "deleted", additions: 0, deletions: 2 },
        { path: "new/a.txt", action: "created", additions: 3, deletions: 0 },
        { path: "staged.txt", action: "created", additions: 1, deletions: 0 },
      ],
    });
    expect([index(), objects()]).toEqual(before);
  });

  it("are counted beyond the limit", async () => {
    writeFiles(project, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}`, "1\n"])));
    const { changes, total } = await work.changes.list({ since, limit: 5 }, signal);
    expect([changes.length, total]).toEqual([5, 30]);
  });

  it("do not list a file that only left the index, nor one that was only touched", async () => {
    git("rm", "--quiet", "--cached", "file.txt");
    utimesSync(join(project, "same.txt"), new Date(0), new Date(0));
    expect(await work.changes.list({ since, limit: 10 }, signal)).toEqual({ changes: [], total: 0 });
  });

  it("see a change of the same length in the same moment as the index", async () => {
    const moment = new Date(Math.floor(Date.now() / 1000) * 1000);
    utimesSync(join(project, "same.txt"), moment, moment);
    git("update-index", "--refresh");
    utimesSync(join(project, ".git", "index"), moment, moment);
    writeFileSync(join(project, "same.txt"), "emas\n");
    utimesSync(join(project, "same.txt"), moment, moment);
    const { changes } = await work.changes.list({ since, limit: 10 }, signal);
    expect(changes.map(({ path }) => path)).toEqual(["same.txt"]);
    expect(await work.treeHash(signal)).not.toBe(git("rev-parse", "HEAD^{tree}"));
  });

  it("E25 keep odd names whole", async () => {
    const names = ["new\nline", 'quo"te', "tab\there", "ünïcode", ":colon", "-dash"];
    writeFiles(project, Object.fromEntries(names.map((name) => [name, "1\n"])));
    const { changes } = await work.changes.list({ since, limit: 100 }, signal);
    expect(changes.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    expect(changes.every(({ additions }) => additions === 1)).toBe(true);
  });

  it("leave repositories below alone", async () => {
    sandbox.repository("project/nested", { "inner.txt": "i\n" });
    expect(await work.changes.list({ since, limit: 10 }, signal)).toEqual({ changes: [], total: 0 });
    expect(await work.treeHash(signal)).toBe(git("rev-parse", "HEAD^{tree}"));
  });

  it("E12 take only the id of a commit", async () => {
    for (const revision of ["--output=pwned", "HEAD", "main", "-O"])
      await expect(work.changes.list({ since: revision, limit: 10 }, signal)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
  });
});

describe("a diff", () => {
  it("has untracked files as new ones, whatever the configuration says", async () => {
    git("config", "diff.noprefix", "true");
    git("config", "color.ui", "always");
    git("config", "diff.renames", "copies");
    writeFiles(project, { "file.txt": "one\n2\nthree\n", "new.txt": "n\n" });
    const before = index();
    const { bytes, truncated } = await work.changes.diff({ since, maxBytes: 100_000 }, signal);
    const text = bytes.toString();
    expect(truncated).toBe(false);
    expect(text).toContain("diff --git a/file.txt b/file.txt\n");
    expect(text).toContain("-two\n+2\n");
    expect(text).toContain("new file mode 100644\n");
    expect(text).toContain("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+n\n");
    expect(index().equals(before)).toBe(true);
  });

  it("is a patch that git applies, to the byte: binary files and other encodings too", async () => {
    const [latin, data] = [Buffer.from("caf\xe9\n", "latin1"), Buffer.from([0, 1, 2, 0xff, 10, 0])];
    writeFileSync(join(project, "latin.txt"), latin);
    writeFileSync(join(project, "old.dat"), data);
    git("add", "--all");
    git("commit", "--quiet", "--message", "bytes");
    const from = git("rev-parse", "HEAD");
    writeFileSync(join(project, "latin.txt"), Buffer.concat([latin, latin]));
    writeFileSync(join(project, "old.dat"), Buffer.concat([data, data]));
    writeFileSync(join(project, "new-latin.txt"), latin);
    writeFileSync(join(project, "new.dat"), data);
    removeFile(project, "gone.txt");
    const open = await work.changes.diff({ since: from, maxBytes: 100_000 }, signal);
    const tree = await work.treeHash(signal);
    git("add", "--all");
    git("commit", "--quiet", "--message", "more");
    const committed = await work.changes.diffBetween({ from, to: git("rev-parse", "HEAD"), maxBytes: 100_000 }, signal);
    for (const { bytes } of [open, committed]) {
      const clone = join(sandbox.root, `clone-${bytes === open.bytes}`);
      sandbox.git(sandbox.root, "clone", "--quiet", project, clone);
      sandbox.git(clone, "checkout", "--quiet", from);
      writeFileSync(join(sandbox.root, "patch"), bytes);
      sandbox.git(clone, "apply", "--index", join(sandbox.root, "patch"));
      expect(sandbox.git(clone, "write-tree").trim()).toBe(tree);
    }
  });

  it("has what is left aside as HEAD has it, staged or not, and counts it so", async () => {
    writeFiles(project, { "file.txt": "committed\n" });
    git("commit", "--quiet", "--all", "--message", "second");
    writeFiles(project, {
      "file.txt": "later\n",
      "same.txt": "staged\n",
      "new.txt": "n\n",
      "both.txt": "b\n",
      "own.txt": "o\n",
    });
    git("add", "same.txt", "new.txt");
    removeFile(project, "gone.txt");
    const { changes } = await work.changes.list({ since: git("rev-parse", "HEAD"), limit: 10 }, signal);
    const before = index();
    const aside = changes.filter(({ path }) => path !== "own.txt");
    expect(aside.map(({ path }) => path)).toEqual(["both.txt", "file.txt", "gone.txt", "new.txt", "same.txt"]);
    const text = (await work.changes.diff({ since, aside, maxBytes: 100_000 }, signal)).bytes.toString();
    expect(text.match(/^diff --git .*$/gm)).toEqual([
      "diff --git a/file.txt b/file.txt",
      "diff --git a/own.txt b/own.txt",
    ]);
    expect(text).toContain("+committed\n");
    expect((await work.changes.list({ since, limit: 10, aside }, signal)).changes).toEqual([
      { path: "file.txt", action: "modified", additions: 1, deletions: 3 },
      { path: "own.txt", action: "created", additions: 1, deletions: 0 },
    ]);
    expect(index().equals(before)).toBe(true);
  });

  it("is of some paths only, each taken literally", async () => {
    writeFiles(project, { "file.txt": "x\n", "same.txt": "x\n", "*": "star\n" });
    const only = (
      await work.changes.diff({ since, paths: ["file.txt", "*"], maxBytes: 100_000 }, signal)
    ).bytes.toString();
    expect(only).toContain("a/file.txt");
    expect(only).toContain("+star");
    expect(only).not.toContain("same.txt");
    for (const path of ["../x", "/etc/passwd", "", ".git/config"])
      await expect(work.changes.diff({ since, paths: [path], maxBytes: 10 }, signal)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
  });

  it("is cut at a line's end where it is too long", async () => {
    writeFiles(project, { "big.txt": "a line of some length\n".repeat(200_000) });
    const { bytes, truncated } = await work.changes.diff({ since, maxBytes: 1_000 }, signal);
    expect(truncated).toBe(true);
    expect(bytes.length).toBeGreaterThan(900);
    expect(bytes.length).toBeLessThanOrEqual(1_000);
    expect(bytes.toString().endsWith("\n")).toBe(true);
  });
});

describe("the hash of the work tree", () => {
  it("is HEAD's where nothing changed, or was only touched", async () => {
    utimesSync(join(project, "same.txt"), new Date(0), new Date(0));
    expect(await work.treeHash(signal)).toBe(git("rev-parse", "HEAD^{tree}"));
  });

  it("is the same wherever the work stands: untracked, staged or committed", async () => {
    rmSync(join(project, "same.txt"));
    writeFiles(project, { "file.txt": "changed\n", "new/a.txt": "a\n", "x.log": "ignored", "same.txt/x": "x" });
    const before = [index(), objects()];
    const hash = await work.treeHash(signal);
    expect([index(), objects()]).toEqual(before);
    git("add", "--all");
    expect(await work.treeHash(signal)).toBe(hash);
    git("commit", "--quiet", "--message", "all");
    expect(git("rev-parse", "HEAD^{tree}")).toBe(hash);
    expect(await work.treeHash(signal)).toBe(hash);
  });

  it.each(["--assume-unchanged", "--skip-worktree"])("has what %s hides from git", async (flag) => {
    git("update-index", flag, "same.txt");
    expect(await work.treeHash(signal)).toBe(git("rev-parse", "HEAD^{tree}"));
    writeFileSync(join(project, "same.txt"), "other\n");
    const before = index();
    expect(await work.treeHash(signal)).not.toBe(git("rev-parse", "HEAD^{tree}"));
    expect(index().equals(before)).toBe(true);
  });

  it("is not taken in by a repository that has git look at less", async () => {
    git("config", "core.trustctime", "false");
    git("config", "core.checkStat", "minimal");
    const moment = new Date(Date.now() - 60_000);
    utimesSync(join(project, "same.txt"), moment, moment);
    git("update-index", "--refresh");
    writeFileSync(join(project, "x.log"), "emas\n");
    utimesSync(join(project, "x.log"), moment, moment);
    renameSync(join(project, "x.log"), join(project, "same.txt"));
    expect(git("status", "--porcelain")).toBe("");
    expect(await work.treeHash(signal)).not.toBe(git("rev-parse", "HEAD^{tree}"));
  });

  it("works before there is an index, in a linked work tree, and in a folder with a colon", async () => {
    const empty = sandbox.repository("emp:ty");
    const there = new Git(sandbox).work(empty);
    expect(await there.treeHash(signal)).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    writeFiles(empty, { "a.txt": "a\n" });
    const hash = await there.treeHash(signal);
    sandbox.git(empty, "add", "--all");
    sandbox.git(empty, "commit", "--quiet", "--message", "m");
    expect(await there.treeHash(signal)).toBe(hash);
    const linked = join(sandbox.root, "linked");
    git("worktree", "add", "--quiet", linked);
    writeFiles(linked, { "file.txt": "linked\n" });
    expect(await new Git(sandbox).work(linked).treeHash(signal)).not.toBe(git("rev-parse", "HEAD^{tree}"));
    expect(await work.treeHash(signal)).toBe(git("rev-parse", "HEAD^{tree}"));
  });

  it("stands in the middle of a conflict too", async () => {
    git("checkout", "--quiet", "-b", "task");
    writeFiles(project, { "file.txt": "task\n" });
    git("commit", "--quiet", "--all", "--message", "task");
    git("checkout", "--quiet", "main");
    writeFiles(project, { "file.txt": "main\n" });
    git("commit", "--quiet", "--all", "--message", "main");
    expect(() => git("merge", "task")).toThrow();
    expect(await work.treeHash(signal)).toMatch(/^[0-9a-f]{40}$/);
    expect(
      (await work.changes.list({ since: git("rev-parse", "HEAD"), limit: 10 }, signal)).changes.map(({ path }) => path),
    ).toEqual(["file.txt"]);
  });

  testWith(["linux"], "knows names that are no UTF-8", async () => {
    writeBytesName(project, Buffer.from([0xff]));
    const hash = await work.treeHash(signal);
    git("add", "--all");
    expect(git("write-tree")).toBe(hash);
  });

  it("leaves no folder of its own behind", async () => {
    const folder = join(sandbox.root, "tmp");
    writeFiles(folder, { keep: "" });
    const kept = process.env["TMPDIR"];
    process.env["TMPDIR"] = folder;
    try {
      writeFiles(project, { "file.txt": "changed\n" });
      await work.treeHash(signal);
      await work.changes.list({ since, limit: 10 }, signal);
      expect(readdirSync(folder)).toEqual(["keep"]);
    } finally {
      if (kept === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = kept;
    }
  });
});
