import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith, testWith } from "../../../test/harness/faults.ts";
import { makeSandbox, removeFile, type Sandbox, writeBytesName, writeFiles } from "../../../test/harness/git.ts";
import { Git } from "./git.ts";
import type { RepositoryWork } from "./work.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let project: string;
let work: RepositoryWork;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", {
    "file.txt": "one\n",
    "other.txt": "one\n",
    "old.txt": "one\n",
    ".gitignore": "*.log\n",
  });
  work = new Git(sandbox).work(project);
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const commit = (paths: string[], message = "Change\n", trailers: Record<string, string> = {}) =>
  work.commit({ message, trailers, paths }, signal);
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

  it("works before the first commit, with HEAD detached, in a linked work tree and with an intent to add", async () => {
    const empty = sandbox.repository("empty");
    writeFiles(empty, { "a.txt": "a\n", "b.txt": "b\n" });
    const first = await new Git(sandbox).work(empty).commit({ message: "m", trailers: {}, paths: ["a.txt"] }, signal);
    expect(first.files).toEqual(["a.txt"]);
    expect(sandbox.git(empty, "status", "--porcelain")).toBe("?? b.txt\n");
    const linked = join(sandbox.root, "linked");
    git("worktree", "add", "--quiet", "--detach", linked);
    writeFiles(linked, { "file.txt": "linked\n", "ita.txt": "i\n" });
    sandbox.git(linked, "add", "--intent-to-add", "ita.txt");
    const order = { message: "m", trailers: {}, paths: ["file.txt", "ita.txt"] };
    await new Git(sandbox).work(linked).commit(order, signal);
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
    const { changes } = await work.changes(git("rev-parse", "HEAD"), 10, signal);
    expect(changes).toEqual([{ path: "a\\xFF", action: "created", additions: 1, deletions: 0 }]);
    expect((await commit(["a\\xFF"])).files).toEqual(["a\\xFF"]);
    expect(git("status", "--porcelain")).toBe("");
  });

  it.each([
    ["", "empty"],
    [".", "empty"],
    ["/etc/passwd", "absolute"],
    ["../outside.txt", "upwards"],
    ["folder/../../x", "upwards"],
    [".git/config", "git's own folder"],
    ["sub/.GIT/config", "git's own folder"],
    ["git~1/config", "git's own folder"],
    ["folder", "is a folder"],
    ["folder/", "names a folder"],
    ["ignored.log", "ignores it"],
    [":/", "names a folder"],
    [":(top)file.txt", "no file here"],
    ["*", "no file here"],
    ["absent.txt", "no file here"],
    ["nested/inner.txt", "another repository"],
    ["way/secret.txt", "no file here"],
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
      suggestions: [expect.stringContaining("user.name"), expect.stringContaining("user.email")],
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
    expect(await work.changes(since, 10, signal)).toEqual({ changes: [], total: 0 });
    expect(await work.treeHash(signal)).toBe(git("rev-parse", "HEAD^{tree}"));
    sandbox.git(join(project, "sub"), "commit", "--quiet", "--allow-empty", "--message", "newer");
    writeFiles(project, { "file.txt": "two\n" });
    expect((await work.changes(since, 10, signal)).changes.map(({ path }) => path)).toEqual(["file.txt", "sub"]);
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
    const first = await there.commit({ message: "m", trailers: {}, paths: ["a.txt", "b.txt"] }, signal);
    expect(first.commit).toMatch(/^[0-9a-f]{64}$/);
    removeFile(modern, "b.txt");
    writeFiles(modern, { "c.txt": "c\n" });
    expect((await there.changes(first.commit, 10, signal)).changes.map(({ path, action }) => [path, action])).toEqual([
      ["b.txt", "deleted"],
      ["c.txt", "created"],
    ]);
    await there.commit({ message: "m", trailers: {}, paths: ["b.txt", "c.txt"] }, signal);
    expect(sandbox.git(modern, "status", "--porcelain")).toBe("");
    expect(await there.treeHash(signal)).toBe(sandbox.git(modern, "rev-parse", "HEAD^{tree}").trim());
  });
});

describe("a message", () => {
  const body = () => sandbox.git(project, "log", "-1", "--format=%B");

  it("keeps lines that look like comments or options, and gets its trailers", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await commit(["file.txt"], "# Not a comment\n\n--amend\n# nor this\n", {
      "Forge-Task": "login/t1",
      "Forge-Execution": "e1",
    });
    expect(body()).toBe("# Not a comment\n\n--amend\n# nor this\n\nForge-Task: login/t1\nForge-Execution: e1\n\n");
    expect(git("log", "-1", "--format=%(trailers:key=Forge-Task,valueonly)")).toBe("login/t1");
  });

  it("joins its own trailers, but never lends another's name", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await commit(["file.txt"], "Subject\n\nSigned-off-by: Ada <a@b.c>\nforge-task: forged\n", { "Forge-Task": "real" });
    expect(body()).toBe("Subject\n\nSigned-off-by: Ada <a@b.c>\nForge-Task: real\n\n");
    expect(git("log", "-1", "--format=%(trailers:key=Forge-Task,valueonly)")).toBe("real");
  });

  it("cannot move a cursor or turn its text around", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await commit(
      ["file.txt"],
      "Fix\u001b[2J \u202etxt.exe\u202c\n\n\tkept: \ud83d\udc69\u200d\ud83d\udcbb e\u0301\n",
      {},
    );
    expect(body()).toBe("Fix\\x1b[2J \\u202etxt.exe\\u202c\n\n\tkept: \ud83d\udc69\u200d\ud83d\udcbb e\u0301\n\n");
  });

  it.each(["", "  \n\n", "a\0b"])("%j is refused", async (message) => {
    writeFiles(project, { "file.txt": "two\n" });
    await expect(commit(["file.txt"], message)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("cannot bring a trailer of several lines", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    await expect(commit(["file.txt"], "m", { "Forge-Task": "a\nForge-Execution: b" })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("arrives as it was given", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), async (text) => {
        fc.pre(text.trim() !== "" && !text.includes("\0"));
        writeFiles(project, { "file.txt": `${run++}\n` });
        await commit(["file.txt"], text, { "Forge-Task": "t" });
        const raw = sandbox.git(project, "cat-file", "commit", "HEAD");
        const message = raw.slice(raw.indexOf("\n\n") + 2);
        expect(message.endsWith("\n\nForge-Task: t\n")).toBe(true);
        const kept = message.slice(0, message.lastIndexOf("\n\nForge-Task: t"));
        expect(kept.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
      { numRuns: 15 },
    );
  });
});

describeWith(["posix"], "hooks", () => {
  const hook = (name: string, script: string) => {
    writeFileSync(join(project, ".git", "hooks", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(project, ".git", "hooks", name), 0o755);
  };
  const trusted = (paths: string[]) =>
    new Git(sandbox).work(project, { trusted: true }).commit({ message: "m", trailers: {}, paths }, signal);

  it("run where a person trusts them, and what they say is told without colours", async () => {
    hook("pre-commit", "git diff --cached --name-only; printf '\\033[31mred\\033[0m\\n' >&2");
    writeFiles(project, { "file.txt": "two\n", "other.txt": "staged\n" });
    git("add", "other.txt");
    expect((await trusted(["file.txt"])).hookOutput.split("\n").toSorted()).toEqual(["file.txt", "red"]);
    expect(git("status", "--porcelain")).toBe("M  other.txt");
  });

  it("that fail leave no commit, and the index to the byte", async () => {
    hook("pre-commit", "echo 'two lines are too long'; exit 3");
    writeFiles(project, { "file.txt": "two\n", "new.txt": "n\n", "ita.txt": "i\n" });
    git("add", "--intent-to-add", "ita.txt");
    const before = index();
    await expect(trusted(["file.txt", "new.txt", "ita.txt"])).rejects.toMatchObject({
      code: "DEPENDENCY_ERROR",
      message: expect.stringContaining("two lines are too long"),
    });
    expect(index().equals(before)).toBe(true);
    expect(git("rev-list", "--count", "HEAD")).toBe("1");
    expect(existsSync(join(project, ".git", "index.lock"))).toBe(false);
  });

  it("may change what goes in; nothing shows as changed afterwards", async () => {
    hook("pre-commit", "echo formatted > file.txt; git add file.txt");
    writeFiles(project, { "file.txt": "two\n" });
    await trusted(["file.txt"]);
    expect(git("show", "HEAD:file.txt")).toBe("formatted");
    expect(git("status", "--porcelain")).toBe("");
  });

  it("end with a cancelled call, and the index is as before", async () => {
    const mark = join(sandbox.root, "started");
    hook("pre-commit", `: > '${mark}'; sleep 60`);
    writeFiles(project, { "file.txt": "two\n" });
    const before = index();
    const calling = new AbortController();
    const committing = new Git(sandbox)
      .work(project, { trusted: true })
      .commit({ message: "m", trailers: {}, paths: ["file.txt"] }, calling.signal);
    const failed = expect(committing).rejects.toMatchObject({ code: "CANCELLED" });
    await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
    calling.abort();
    await failed;
    expect(index().equals(before)).toBe(true);
    expect(git("rev-list", "--count", "HEAD")).toBe("1");
  });
});

describe("filters in an untrusted repository", () => {
  it("make committing their files a matter of trust, and no others", async () => {
    writeFiles(project, { ".gitattributes": "*.bin filter=lfs\n", "a.bin": "a\n", "file.txt": "two\n" });
    await expect(commit(["a.bin", "file.txt"])).rejects.toMatchObject({
      code: "TRUST_REQUIRED",
      details: { files: ["a.bin"] },
    });
    expect((await commit(["file.txt", ".gitattributes"])).files).toEqual([".gitattributes", "file.txt"]);
  });

  testWith(["posix"], "run where it is trusted", async () => {
    git("config", "filter.up.clean", "tr a-z A-Z");
    writeFiles(project, { ".gitattributes": "*.up filter=up\n", "a.up": "abc\n" });
    await new Git(sandbox)
      .work(project, { trusted: true })
      .commit({ message: "m", trailers: {}, paths: ["a.up"] }, signal);
    expect(git("show", "HEAD:a.up")).toBe("ABC");
  });
});
