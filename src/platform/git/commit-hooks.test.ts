import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith, testWith } from "../../../test/harness/faults/faults.ts";
import { committingSandbox } from "../../../test/harness/git/committing.ts";
import { type Sandbox, writeFiles } from "../../../test/harness/git/git.ts";
import { Git } from "./git.ts";
import type { RepositoryWork } from "./work.ts";

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

describeWith(["posix"], "hooks", () => {
  const hook = (name: string, script: string) => {
    writeFileSync(join(project, ".git", "hooks", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(project, ".git", "hooks", name), 0o755);
  };
  const trusted = (paths: string[]) =>
    new Git(sandbox).work(project, { trusted: true }).commits.create({ message: "m", trailers: {}, paths }, signal);

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
      .commits.create({ message: "m", trailers: {}, paths: ["file.txt"] }, calling.signal);
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
      .commits.create({ message: "m", trailers: {}, paths: ["a.up"] }, signal);
    expect(git("show", "HEAD:a.up")).toBe("ABC");
  });
});
