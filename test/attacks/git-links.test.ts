import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Git } from "../../src/platform/git/git.ts";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

/** A project that came as an archive, with its `.git`, beside a repository of the user's that it has no business with. */
function openArchive() {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const project = sandbox.repository("project", { "a.txt": "a\n" });
  const own = sandbox.repository("own", { "private.txt": "private\n" });
  const git = new Git({ environment: sandbox.environment });
  return { sandbox, project, own, git };
}

function replaceByLink(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

const refused = expect.objectContaining({ code: "PERMISSION_DENIED" });

describe("a repository whose .git has links that lead out of it is refused", () => {
  const parts = ["objects", "refs", "logs", "index", "HEAD", "refs/heads/main", "objects/info", "worktrees"];

  test.each(parts)("to another repository: %s", (part) => {
    const { project, own, git } = openArchive();
    replaceByLink(join(project, ".git", part), join(own, ".git", part === "HEAD" ? "refs/heads/main" : part));
    expect(() => git.open(project)).toThrow(refused);
    expect(() => git.work(project)).toThrow(refused);
  });

  test.each(["logs/HEAD", "logs/refs/heads/main", "COMMIT_EDITMSG", "ORIG_HEAD", "packed-refs"])(
    "to a file that git would write to: %s",
    (part) => {
      const { sandbox, project, git } = openArchive();
      replaceByLink(join(project, ".git", part), join(sandbox.root, "new-file"));
      expect(() => git.work(project)).toThrow(refused);
      writeFileSync(join(sandbox.root, "new-file"), "");
      expect(() => git.work(project)).toThrow(refused);
    },
  );

  test.each(["objects/info/alternates", "objects/pack/x.pack", "worktrees/x/gitdir"])(
    "to a file that git would repeat to whoever asks: %s",
    (part) => {
      const { project, own, git } = openArchive();
      replaceByLink(join(project, ".git", part), join(own, "private.txt"));
      expect(() => git.open(project)).toThrow(refused);
    },
  );

  test("also in the directory of a linked work tree", () => {
    const { sandbox, project, own, git } = openArchive();
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", linked);
    replaceByLink(join(project, ".git", "worktrees", "linked", "logs", "HEAD"), join(own, "private.txt"));
    expect(() => git.work(linked)).toThrow(refused);
  });
});

test.each(["index", "config", "packed-refs", "info/exclude", "objects/info/alternates", "logs/HEAD", "refs/heads/x"])(
  "a repository is refused whose .git has a pipe, which nobody ever writes to: %s",
  (part) => {
    const { project, git } = openArchive();
    const place = join(project, ".git", part);
    rmSync(place, { force: true });
    execFileSync("mkfifo", [place]);
    expect(() => git.open(project)).toThrow(refused);
  },
);

test("nor is one read to find the repository's work trees, before it is refused", () => {
  const { sandbox, project, git } = openArchive();
  sandbox.git(project, "worktree", "add", "--quiet", join(sandbox.root, "linked"));
  const place = join(project, ".git", "worktrees", "linked", "gitdir");
  rmSync(place);
  execFileSync("mkfifo", [place]);
  expect(() => git.open(project)).toThrow(refused);
});

test("or a link to one", () => {
  const { project, git } = openArchive();
  execFileSync("mkfifo", [join(project, ".git", "lfs")]);
  replaceByLink(join(project, ".git", "index"), "lfs");
  expect(() => git.open(project)).toThrow(refused);
});

describe("links that people make on purpose are no hindrance", () => {
  const readHead = (git: Git, project: string) =>
    git.open(project).run("rev-parse", ["HEAD"], { signal: new AbortController().signal });
  const headOf = (sandbox: Sandbox, project: string) => sandbox.git(project, "rev-parse", "HEAD");

  test.each(["hooks", "config"])("%s kept elsewhere", async (part) => {
    const { sandbox, project, git } = openArchive();
    const head = headOf(sandbox, project);
    const place = join(project, ".git", part);
    const elsewhere = join(sandbox.root, "elsewhere");
    if (existsSync(place)) renameSync(place, elsewhere);
    else mkdirSync(elsewhere);
    symlinkSync(elsewhere, place);
    expect((await readHead(git, project)).stdout.toString().trim()).toBe(head.trim());
  });

  test("hooks switched off by a link to nowhere", async () => {
    const { sandbox, project, git } = openArchive();
    replaceByLink(join(project, ".git", "hooks"), "/dev/null");
    expect((await readHead(git, project)).stdout.toString().trim()).toBe(headOf(sandbox, project).trim());
  });

  test("an editor's lock on the message of a commit", async () => {
    const { sandbox, project, git } = openArchive();
    symlinkSync("ada@laptop.4711:1700000000", join(project, ".git", ".#COMMIT_EDITMSG"));
    expect((await readHead(git, project)).stdout.toString().trim()).toBe(headOf(sandbox, project).trim());
  });

  test("HEAD as a link to a branch, as old versions of git wrote it", async () => {
    const { sandbox, project, git } = openArchive();
    const head = headOf(sandbox, project);
    const branch = /refs\/heads\/\S+/.exec(readFileSync(join(project, ".git", "HEAD"), "utf8"))?.[0] ?? "";
    replaceByLink(join(project, ".git", "HEAD"), branch);
    expect((await readHead(git, project)).stdout.toString().trim()).toBe(head.trim());
  });
});
