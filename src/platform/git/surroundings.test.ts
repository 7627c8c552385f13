import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith, testWith } from "../../../test/harness/faults/faults.ts";
import { makeSandbox, plainGit, type Sandbox, writeFiles } from "../../../test/harness/git/git.ts";
import { childEnvironment } from "../host/environment.ts";
import { Git } from "./git.ts";

const { signal } = new AbortController();
const limit = 100;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

function script(path: string, mark: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n: > '${mark}'\n`);
  chmodSync(path, 0o755);
  return path;
}

describeWith(["posix"], "E17 git variables in our environment", () => {
  it("do not reach git", async () => {
    const mark = join(sandbox.root, "mark");
    const program = script(join(sandbox.root, "program"), mark);
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    const other = sandbox.repository("other", { "other.txt": "one\n" });
    writeFiles(project, { "file.txt": "two\n" });
    const hostile = {
      ...sandbox.environment,
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, ".git", "index"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: program,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${program}'`,
      GIT_EXTERNAL_DIFF: program,
      GIT_SSH_COMMAND: program,
      GIT_ASKPASS: program,
      GIT_PAGER: program,
      GIT_EDITOR: program,
      GIT_EXEC_PATH: sandbox.root,
      GIT_TRACE: join(sandbox.root, "trace"),
      GIT_OBJECT_DIRECTORY: join(other, ".git", "objects"),
    };
    const { GIT_EXEC_PATH: _, ...carelessly } = hostile;
    expect(plainGit(project, ["status", "--porcelain"], carelessly)).not.toContain("file.txt");
    expect(existsSync(mark)).toBe(true);

    const careful = sandbox.repository("careful", { "file.txt": "one\n" });
    writeFiles(careful, { "file.txt": "two\n" });
    const carefulMark = join(sandbox.root, "careful-mark");
    script(program, carefulMark);
    const repository = new Git({ environment: childEnvironment(hostile) }).open(careful);
    const status = await repository.status(limit, signal);
    expect(status.modified.names).toEqual(["file.txt"]);
    expect((await repository.run("diff", [], { signal })).stdout.toString()).toContain("+two");
    expect(existsSync(carefulMark)).toBe(false);
  });
});

describeWith(["posix"], "the git program", () => {
  it("is never one the project brought along", async () => {
    const mark = join(sandbox.root, "mark");
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    script(join(project, "bin", "git"), mark);
    script(join(sandbox.root, "node_modules", ".bin", "git"), mark);
    const { PATH = "" } = sandbox.environment;
    const folders = ["bin", ".", "", join(project, "bin"), join(sandbox.root, "node_modules", ".bin"), PATH];
    const environment = { ...sandbox.environment, PATH: folders.join(delimiter) };
    plainGit(project, ["status"], environment);
    const carelessRan = existsSync(mark);
    const files = await new Git({ environment }).open(project).files(limit, signal);
    expect(carelessRan).toBe(true);
    expect(files.names).toEqual(["file.txt"]);
  });

  it("E28 is named where it is missing", () => {
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    const git = new Git({ environment: { ...sandbox.environment, PATH: sandbox.root } });
    expect(() => git.open(project)).toThrow(
      expect.objectContaining({ code: "DEPENDENCY_ERROR", message: expect.stringContaining("git was not found") }),
    );
  });
});

describe("a repository's configuration", () => {
  it("E11 cannot move the work tree elsewhere", async () => {
    const secret = join(sandbox.root, "secret");
    writeFiles(secret, { "key.txt": "secret" });
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    writeFiles(project, { "new.txt": "" });
    sandbox.git(project, "config", "core.worktree", secret);
    expect(sandbox.git(project, "status", "--porcelain", "--untracked-files=all")).toContain("key.txt");
    const status = await new Git(sandbox).open(project).status(limit, signal);
    expect(status).toMatchObject({ untracked: { names: ["new.txt"] }, modified: { names: [] } });
  });

  testWith(["linux"], "E04 with a filter name we could not switch off is refused", async () => {
    const mark = join(sandbox.root, "mark");
    const program = script(join(sandbox.root, "program"), mark);
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    const name = Buffer.from([0xff]);
    writeFileSync(
      join(project, ".git", "config"),
      Buffer.concat([Buffer.from('[filter "'), name, Buffer.from(`"]\n clean = ${program}\n`)]),
    );
    writeFileSync(join(project, ".gitattributes"), Buffer.concat([Buffer.from("* filter="), name]));
    writeFiles(project, { "file.txt": "two\n" });
    const reading = new Git(sandbox).open(project).status(limit, signal);
    await expect(reading).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(existsSync(mark)).toBe(false);
    sandbox.git(project, "diff");
    expect(existsSync(mark)).toBe(true);
  });

  it("E04 with endless filters is refused", async () => {
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    const filters = Array.from({ length: 500 }, (_, index) => `[filter "f${index}"]\n clean = cat\n`);
    writeFileSync(join(project, ".git", "config"), filters.join(""));
    const reading = new Git(sandbox).open(project).status(limit, signal);
    await expect(reading).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

describe("what a caller gives", () => {
  it("E12 is never an option", async () => {
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    const repository = new Git(sandbox).open(project);
    const head = sandbox.git(project, "rev-parse", "HEAD").trim();
    expect(await repository.resolveCommit("HEAD", signal)).toBe(head);
    expect(await repository.resolveCommit("main", signal)).toBe(head);
    const option = fc.constantFrom(
      "--output=pwned",
      "-O",
      "--all",
      "--upload-pack=touch pwned",
      "--exec=touch pwned",
      "-vu",
    );
    const anything = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `-${text.replaceAll("\0", "")}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(option, anything), async (revision) => {
        expect(await repository.resolveCommit(revision, signal)).toBeUndefined();
        expect(existsSync(join(project, "pwned"))).toBe(false);
      }),
      { numRuns: 25 },
    );
  });
});

describeWith(["root"], "E26 a repository of another user", () => {
  it("is explained, without advice to trust everything", async () => {
    const project = sandbox.repository("project", { "file.txt": "one\n" });
    chownSync(project, 65534, 65534);
    chownSync(join(project, ".git"), 65534, 65534);
    const repository = new Git(sandbox).open(project);
    const readings = [repository.status(limit, signal), repository.files(limit, signal)];
    for (const error of await Promise.all(readings.map((reading) => reading.catch((thrown: unknown) => thrown)))) {
      expect(error).toMatchObject({ code: "PERMISSION_DENIED", message: expect.stringContaining("another user") });
      expect(JSON.stringify(error)).toContain(project);
      expect(JSON.stringify(error)).not.toContain("*");
    }
  });
});
