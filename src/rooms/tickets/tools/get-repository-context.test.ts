import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith, testWith } from "../../../../test/harness/faults/faults.ts";
import {
  callRepositoryContext,
  makeSandbox,
  plainGit,
  removeFile,
  type Sandbox,
  writeBytesName,
  writeFiles,
} from "../../../../test/harness/git/git.ts";
import { repositoryContext } from "../model/repository-context.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

async function call(cwd: string, input: unknown = {}) {
  const { environment } = sandbox;
  return (await callRepositoryContext(input, { cwd, environment })).outcome;
}

async function contextOf(cwd: string, input: unknown = {}) {
  const outcome = await call(cwd, input);
  if (outcome.kind !== "value") throw new Error(JSON.stringify(outcome));
  expect(outcome.value.text).toBe(JSON.stringify(outcome.value.structured));
  return repositoryContext.strict().parse(outcome.value.structured);
}

async function errorOf(cwd: string, input: unknown = {}) {
  const outcome = await call(cwd, input);
  if (outcome.kind !== "error") throw new Error("expected an error");
  return outcome.body;
}

describe("get_repository_context", () => {
  it("AC4 gives branch, root, status by kind and files", async () => {
    const project = sandbox.repository("project", { "a.txt": "1", "b.txt": "1", "c.txt": "1", "docs/d.txt": "1" });
    writeFiles(project, { "a.txt": "22", "b.txt": "22", "new/e f.txt": "1", "new/g.txt": "1" });
    sandbox.git(project, "add", "b.txt");
    writeFiles(project, { "b.txt": "333" });
    removeFile(project, "c.txt");
    expect(await contextOf(project)).toEqual({
      branch: "main",
      workingDirectory: project,
      status: { modified: ["a.txt", "b.txt", "c.txt"], untracked: ["new/e f.txt", "new/g.txt"], staged: ["b.txt"] },
      fileTree: "a.txt\nb.txt\nc.txt\ndocs/d.txt",
    });
  });

  it("answers for a subfolder with paths from the root, by absolute and relative path", async () => {
    const project = sandbox.repository("project", { "docs/a.txt": "1" });
    writeFiles(project, { "b.txt": "1" });
    const whole = await contextOf(project);
    expect(whole).toMatchObject({
      workingDirectory: project,
      status: { untracked: ["b.txt"] },
      fileTree: "docs/a.txt",
    });
    expect(await contextOf(join(project, "docs"))).toEqual(whole);
    expect(await contextOf(sandbox.root, { path: join(project, "docs") })).toEqual(whole);
    expect(await contextOf(sandbox.root, { path: relative(sandbox.root, project) })).toEqual(whole);
  });

  it("names the branch before the first commit", async () => {
    const project = sandbox.repository("project");
    writeFiles(project, { "a.txt": "1", "b.txt": "1" });
    sandbox.git(project, "add", "a.txt");
    expect(await contextOf(project)).toEqual({
      branch: "main",
      workingDirectory: project,
      status: { modified: [], untracked: ["b.txt"], staged: ["a.txt"] },
      fileTree: "",
    });
  });

  it("says where a detached HEAD is", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    sandbox.git(project, "checkout", "--quiet", "--detach");
    const short = sandbox.git(project, "rev-parse", "--short", "HEAD").trim();
    expect((await contextOf(project)).branch).toBe(`HEAD (detached at ${short})`);
  });

  it("reads a linked work tree", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", "-b", "feature", linked);
    writeFiles(linked, { "b.txt": "1" });
    expect(await contextOf(linked)).toMatchObject({
      branch: "feature",
      workingDirectory: linked,
      status: { untracked: ["b.txt"] },
    });
  });

  it("shows a rename by its new name, and a conflict as modified", async () => {
    const project = sandbox.repository("project", { "old.txt": "a longer content\n", "clash.txt": "1\n" });
    sandbox.git(project, "checkout", "--quiet", "-b", "side");
    writeFiles(project, { "clash.txt": "2\n" });
    sandbox.git(project, "commit", "--quiet", "--all", "--message", "side");
    sandbox.git(project, "checkout", "--quiet", "main");
    writeFiles(project, { "clash.txt": "3\n" });
    sandbox.git(project, "commit", "--quiet", "--all", "--message", "main");
    expect(() => sandbox.git(project, "merge", "side")).toThrow();
    expect((await contextOf(project)).status).toEqual({ modified: ["clash.txt"], untracked: [], staged: [] });
    sandbox.git(project, "reset", "--quiet", "--hard");
    sandbox.git(project, "mv", "old.txt", "new.txt");
    expect((await contextOf(project)).status).toEqual({ modified: [], untracked: [], staged: ["new.txt"] });
  });

  it("reads while somebody else's index.lock lies there, and leaves it", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    writeFiles(project, { ".git/index.lock": "", "a.txt": "22" });
    expect((await contextOf(project)).status.modified).toEqual(["a.txt"]);
    expect(() => sandbox.git(project, "add", "a.txt")).toThrow("index.lock");
  });

  it("names an option-like branch as it is", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    writeFiles(project, { ".git/HEAD": "ref: refs/heads/--output=pwned\n" });
    expect((await contextOf(project)).branch).toBe("--output=pwned");
  });

  it("is a read in the ledger", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    const { records } = await callRepositoryContext({}, { cwd: project, environment: sandbox.environment });
    expect(records).toMatchObject([{ name: "get_repository_context", effect: "read", outcome: "ok" }]);
  });

  it("stops when it is cancelled", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    const controller = new AbortController();
    const { environment } = sandbox;
    const calling = callRepositoryContext({}, { cwd: project, environment, signal: controller.signal });
    controller.abort();
    expect((await calling).outcome).toMatchObject({ kind: "error", body: { code: "CANCELLED" } });
  });
});

describeWith(["posix"], "get_repository_context and unusual names", () => {
  const names = [
    "with space",
    "new\nline",
    'quo"te',
    "back\\slash",
    "tab\t",
    "ünïcödé",
    "日本語",
    "🦆",
    "-rf",
    ":(top)x",
  ];

  it("keeps them raw in the lists and one per line in the tree", async () => {
    const project = sandbox.repository("project", Object.fromEntries(names.map((name) => [name, "1"])));
    const tree = (await contextOf(project)).fileTree.split("\n");
    expect(tree).toHaveLength(names.length);
    expect(tree).toEqual(
      expect.arrayContaining(['"new\\nline"', '"quo\\"te"', '"back\\\\slash"', '"tab\\t"', "🦆", "-rf"]),
    );
    writeFiles(project, Object.fromEntries(names.map((name) => [name, "changed"])));
    expect((await contextOf(project)).status.modified).toEqual(names.toSorted());
    sandbox.git(project, "rm", "--cached", "--quiet", "-r", ".");
    expect((await contextOf(project)).status).toMatchObject({ untracked: names.toSorted(), staged: names.toSorted() });
  });

  testWith(["linux"], "shows bytes that are no UTF-8", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    writeBytesName(project, Buffer.from("caf\xe9", "latin1"));
    expect((await contextOf(project)).status.untracked).toEqual(["caf\\xE9"]);
    sandbox.git(project, "add", "--all");
    sandbox.git(project, "commit", "--quiet", "--message", "latin");
    expect((await contextOf(project)).fileTree).toBe('a.txt\n"caf\\xE9"');
  });
});

describe("get_repository_context with more than it shows", () => {
  it("counts what it leaves out of 10,000 files", async () => {
    const project = sandbox.repository("project");
    const stream = Array.from({ length: 10_000 }, (_, index) => `M 100644 inline f/${pad(index)}\ndata 1\n1\n`);
    const head = "commit refs/heads/main\ncommitter Ada <ada@example.org> 0 +0000\ndata 1\nm\n";
    plainGit(project, ["fast-import", "--quiet"], sandbox.environment, head + stream.join(""));
    const { fileTree, omitted, status } = await contextOf(project);
    const lines = fileTree.split("\n");
    expect(lines).toHaveLength(200);
    expect(lines[198]).toBe("f/00198");
    expect(lines[199]).toBe("… and 9801 more files");
    expect(status.staged).toHaveLength(500);
    expect(omitted).toEqual({ files: 9801, staged: 9500 });
  });

  it("shows exactly 200 files without a last line, and 500 names", async () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f/${pad(index)}`, "1"]));
    const project = sandbox.repository("project", files);
    writeFiles(project, Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`new/${pad(index)}`, "1"])));
    const exact = await contextOf(project);
    expect(exact.fileTree.split("\n")).toEqual(Object.keys(files));
    expect(exact.status.untracked).toHaveLength(500);
    expect(exact).not.toHaveProperty("omitted");
    writeFiles(project, { [`new/${pad(500)}`]: "1" });
    const over = await contextOf(project);
    expect(over.status.untracked.at(-1)).toBe("new/00499");
    expect(over.omitted).toEqual({ untracked: 1 });
  });

  const pad = (index: number) => String(index).padStart(5, "0");
});

describe("get_repository_context says what is wrong", () => {
  it("AC5 outside a repository", async () => {
    const folder = join(sandbox.root, "plain");
    writeFiles(folder, { "a.txt": "1" });
    expect(await errorOf(folder)).toMatchObject({
      error: "Not a git repository",
      code: "NOT_FOUND",
      details: { path: folder },
      next: expect.arrayContaining([expect.any(String)]),
    });
  });

  it("with a path that does not exist, is a file, is bare or cannot be a path", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    sandbox.git(sandbox.root, "clone", "--quiet", "--bare", project, "bare");
    expect(await errorOf(project, { path: "absent" })).toMatchObject({
      code: "NOT_FOUND",
      message: `The folder ${join(project, "absent")} does not exist.`,
    });
    expect(await errorOf(project, { path: "a.txt" })).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("is not a folder"),
    });
    expect(await errorOf(project, { path: "a.txt/b" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await errorOf(join(sandbox.root, "bare"))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("bare git repository"),
    });
    expect(await errorOf(project, { path: "a\0b" })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await errorOf(project, { path: "x".repeat(4000) })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("with arguments it does not know, or a damaged repository", async () => {
    const project = sandbox.repository("project", { "a.txt": "1" });
    expect(await errorOf(project, { folder: "x" })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await errorOf(project, { path: "x".repeat(5000) })).toMatchObject({ code: "VALIDATION_ERROR" });
    writeFiles(project, { ".git/index": "not an index" });
    expect(await errorOf(project)).toMatchObject({
      code: "DEPENDENCY_ERROR",
      message: expect.stringContaining("git status failed"),
    });
  });
});
