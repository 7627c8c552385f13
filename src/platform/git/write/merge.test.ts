import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith, testWith } from "../../../../test/harness/faults/faults.ts";
import { makeSandbox, type Sandbox, writeFiles } from "../../../../test/harness/git/git.ts";
import { Git } from "../git.ts";
import type { RepositoryWork } from "../work.ts";
import type { BaseMove } from "../work-model.ts";

const { signal } = new AbortController();

let sandbox: Sandbox;
let project: string;
let work: RepositoryWork;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", { "file.txt": "one\n", "other.txt": "one\n", ".gitignore": "*.log\n" });
  work = new Git(sandbox).work(project);
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const tipOf = (branch: string) => git("rev-parse", `refs/heads/${branch}`);
const contentOf = (name: string) => readFileSync(join(project, name), "utf8");
const merge = (base = "main", branch = "task") =>
  work.merges.merge({ base, branch, message: "Merge the task", trailers: { "Forge-Task": "t1" } }, signal);

/** Commits on a branch, made if need be, and goes back to where it was. */
function commitOn(branch: string, files: Record<string, string>, message = branch): void {
  const back = git("rev-parse", "--abbrev-ref", "HEAD");
  const args = git("branch", "--list", branch) === "" ? ["-b", branch] : [branch];
  git("checkout", "--quiet", ...args);
  writeFiles(project, files);
  git("add", "--all", "--force", ...Object.keys(files));
  git("commit", "--quiet", "--message", message);
  git("checkout", "--quiet", back);
}

/** What must not change where nothing is merged. */
function state() {
  return [git("for-each-ref"), git("status", "--porcelain"), git("ls-files", "--stage"), git("rev-parse", "HEAD")];
}

describe("a plan", () => {
  it("tells a fast-forward, a clean merge, a conflict and nothing, and leaves no object", async () => {
    commitOn("task", { "file.txt": "task\n" });
    expect(await work.merges.plan("main", "task", signal)).toEqual({ kind: "fast-forward", commit: tipOf("task") });
    expect(await work.merges.plan("task", "main", signal)).toEqual({ kind: "nothing" });
    commitOn("main", { "other.txt": "main\n" });
    const count = git("count-objects");
    const plan = await work.merges.plan("main", "task", signal);
    expect(plan).toEqual({ kind: "clean", tree: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(git("count-objects")).toBe(count);
    commitOn("main", { "file.txt": "main\n", 'odd "\nname': "main\n" });
    commitOn("task", { 'odd "\nname': "task\n" });
    expect(await work.merges.plan("main", "task", signal)).toEqual({
      kind: "conflict",
      files: ["file.txt", 'odd "\nname'],
    });
  });

  it("says that there is no such branch", async () => {
    await expect(work.merges.plan("main", "absent", signal)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a merge", () => {
  it("merges only the commit that is meant, and tells how the base moves before it does", async () => {
    commitOn("task", { "file.txt": "task\n" });
    const tip = tipOf("task");
    commitOn("task", { "file.txt": "later\n" });
    const before = state();
    const moves: BaseMove[] = [];
    const beforeMove = async (move: BaseMove) => {
      expect(state()).toEqual(before);
      moves.push(move);
    };
    const order = { base: "main", branch: "task", message: "m", trailers: {}, beforeMove };
    const later = tipOf("task");
    expect(await work.merges.merge({ ...order, tip }, signal)).toEqual({ kind: "moved", tip: later });
    expect([state(), moves]).toEqual([before, []]);
    const from = tipOf("main");
    expect(await work.merges.merge({ ...order, tip: later }, signal)).toMatchObject({ kind: "merged", commit: later });
    expect(moves).toEqual([{ from, to: later }]);
  });

  it("is resumed where the files were moved and the base was not, past a person's other changes", async () => {
    commitOn("task", { "file.txt": "task\n", "new.txt": "new\n" });
    const move = { from: tipOf("main"), to: tipOf("task") };
    writeFiles(project, { "other.txt": "mine\n" });
    expect(await work.merges.resume("main", move, signal)).toEqual({ kind: "none" });
    git("read-tree", "-m", "-u", "main", "task");
    expect(await work.merges.resume("main", move, signal)).toEqual({ kind: "merged" });
    expect(tipOf("main")).toBe(move.to);
    expect(git("status", "--porcelain")).toBe("M other.txt");
    expect(await work.merges.resume("main", move, signal)).toEqual({ kind: "none" });
  });

  it("forwards a base that nobody is on", async () => {
    commitOn("task", { "file.txt": "task\n" });
    git("checkout", "--quiet", "task");
    expect(await merge()).toEqual({ kind: "merged", commit: tipOf("task"), fastForward: true });
    expect(tipOf("main")).toBe(tipOf("task"));
    expect(git("status", "--porcelain")).toBe("");
    expect(await merge()).toEqual({ kind: "merged", commit: tipOf("task"), fastForward: true });
  });

  it("makes a commit of both where the base went on, by the person, with its trailers", async () => {
    commitOn("task", { "file.txt": "task\n" });
    commitOn("main", { "other.txt": "main\n" });
    const parents = `${tipOf("main")} ${tipOf("task")}`;
    git("checkout", "--quiet", "task");
    expect(await merge()).toEqual({ kind: "merged", commit: tipOf("main"), fastForward: false });
    expect(git("log", "-1", "--format=%P%n%an%n%s%n%(trailers:only)", "main")).toBe(
      `${parents}\nAda\nMerge the task\nForge-Task: t1`,
    );
    expect(git("show", "main:file.txt", "main:other.txt")).toBe("task\nmain");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("fsck", "--strict")).toBe("");
  });

  it.each([true, false])(
    "brings the files of a base that is checked out along (fast-forward: %s)",
    async (fastForward) => {
      commitOn("task", { "file.txt": "task\n", "new/a.txt": "a\n" });
      if (!fastForward) commitOn("main", { "main.txt": "m\n" });
      expect(await merge()).toMatchObject({ kind: "merged", fastForward });
      expect(git("status", "--porcelain")).toBe("");
      expect([contentOf("file.txt"), contentOf("new/a.txt")]).toEqual(["task\n", "a\n"]);
      expect(git("reflog", "-1", "--format=%gs")).toBe("forge: merged");
    },
  );

  it("brings them along in a linked work tree, called from another", async () => {
    commitOn("task", { "file.txt": "task\n" });
    git("checkout", "--quiet", "task");
    const linked = join(sandbox.root, "linked");
    git("worktree", "add", "--quiet", linked, "main");
    expect(await merge()).toMatchObject({ kind: "merged" });
    expect(readFileSync(join(linked, "file.txt"), "utf8")).toBe("task\n");
    expect(sandbox.git(linked, "status", "--porcelain")).toBe("");
  });

  it("leaves a person's other changes as they are", async () => {
    commitOn("task", { "file.txt": "task\n" });
    commitOn("main", { "main.txt": "m\n" });
    writeFiles(project, { "other.txt": "mine\n", "staged.txt": "s\n", "loose.txt": "l\n", "x.log": "i\n" });
    git("add", "staged.txt");
    expect(await merge()).toMatchObject({ kind: "merged" });
    expect(contentOf("file.txt")).toBe("task\n");
    expect(git("status", "--porcelain")).toBe("M other.txt\nA  staged.txt\n?? loose.txt");
    expect([contentOf("other.txt"), contentOf("x.log")]).toEqual(["mine\n", "i\n"]);
  });

  it.each([
    ["a changed file", { "file.txt": "mine\n" }, "file.txt"],
    ["an untracked file", { "added.txt": "mine\n" }, "added.txt"],
    ["an ignored file", { "added.log": "mine\n" }, "added.log"],
  ])("is blocked by %s, and touches nothing", async (_what, files, named) => {
    commitOn("task", { "file.txt": "task\n", "added.txt": "a\n", "added.log": "a\n", "other.txt": "task\n" });
    writeFiles(project, files);
    const before = state();
    expect(await merge()).toEqual({ kind: "blocked", files: [named] });
    expect(state()).toEqual(before);
    expect(contentOf(named)).toBe("mine\n");
  });

  it("is blocked by what is only staged, and by a file whose deletion is not committed", async () => {
    commitOn("task", { "file.txt": "task\n", "other.txt": "task\n" });
    writeFiles(project, { "file.txt": "staged\n" });
    git("add", "file.txt");
    writeFiles(project, { "file.txt": "one\n" });
    rmSync(join(project, "other.txt"));
    const before = state();
    expect(await merge()).toEqual({ kind: "blocked", files: ["file.txt", "other.txt"] });
    expect(state()).toEqual(before);
  });

  it("with a conflict touches nothing", async () => {
    commitOn("task", { "file.txt": "task\n" });
    commitOn("main", { "file.txt": "main\n" });
    const before = state();
    expect(await merge()).toEqual({ kind: "conflict", files: ["file.txt"] });
    expect(state()).toEqual(before);
  });

  it("is done again where one was killed with half of the files written", async () => {
    commitOn("task", { "file.txt": "task\n", "new.txt": "n\n", "other.txt": "task\n" });
    writeFiles(project, { "file.txt": "task\n", "new.txt": "n\n" });
    expect(await merge()).toMatchObject({ kind: "merged" });
    expect(git("status", "--porcelain")).toBe("");
  });

  it("is done again where one was killed before the branch moved", async () => {
    commitOn("task", { "file.txt": "task\n", "new.txt": "n\n" });
    commitOn("main", { "main.txt": "m\n" });
    await merge();
    git("update-ref", "refs/heads/main", "main~1");
    expect(git("status", "--porcelain")).not.toBe("");
    expect(await merge()).toMatchObject({ kind: "merged", fastForward: false });
    expect(git("status", "--porcelain")).toBe("");
  });

  it("refuses a base in the middle of a merge, and one that is a name for another", async () => {
    commitOn("task", { "file.txt": "task\n" });
    writeFiles(project, { ".git/MERGE_HEAD": `${tipOf("main")}\n` });
    await expect(merge()).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      message: expect.stringContaining("in progress"),
    });
    rmSync(join(project, ".git", "MERGE_HEAD"));
    git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    await expect(merge("alias")).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect(tipOf("main")).not.toBe(tipOf("task"));
  });

  it("goes past a work tree whose folder is gone, not past one that may come back", async () => {
    commitOn("task", { "file.txt": "task\n" });
    git("checkout", "--quiet", "--detach");
    const linked = join(sandbox.root, "linked");
    git("worktree", "add", "--quiet", linked, "main");
    git("worktree", "lock", linked);
    renameSync(linked, join(sandbox.root, "away"));
    await expect(merge()).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    git("worktree", "unlock", linked);
    expect(await merge()).toMatchObject({ kind: "merged" });
  });

  it("writes nothing to a folder that the repository only claims as its work tree", async () => {
    commitOn("task", { "file.txt": "task\n" });
    git("checkout", "--quiet", "--detach");
    const victim = join(sandbox.root, "victim");
    writeFiles(victim, { ".git": "gitdir: elsewhere\n", "file.txt": "mine\n" });
    const entry = join(project, ".git", "worktrees", "victim");
    mkdirSync(entry, { recursive: true });
    writeFiles(entry, { gitdir: `${victim}/.git\n`, commondir: "../..\n", HEAD: "ref: refs/heads/main\n" });
    await expect(merge()).rejects.toMatchObject({ name: "ForgeError" });
    expect(readFileSync(join(victim, "file.txt"), "utf8")).toBe("mine\n");
    expect(tipOf("main")).not.toBe(tipOf("task"));
  });

  it("refuses histories that have nothing in common", async () => {
    git("checkout", "--quiet", "--orphan", "task");
    git("commit", "--quiet", "--message", "alone");
    git("checkout", "--quiet", "main");
    const before = state();
    await expect(merge()).rejects.toMatchObject({ code: "DEPENDENCY_ERROR" });
    expect(state()).toEqual(before);
  });

  it("needs trust where a filter would have to write a file", async () => {
    commitOn("task", { ".gitattributes": "*.bin filter=lfs\n", "a.bin": "pointer\n" });
    const before = state();
    await expect(merge()).rejects.toMatchObject({ code: "TRUST_REQUIRED", details: { files: ["a.bin"] } });
    await expect(work.branches.switchTo("task", signal)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
    expect(state()).toEqual(before);
    git("checkout", "--quiet", "--detach");
    expect(await merge()).toMatchObject({ kind: "merged" });
  });
});

describeWith(["posix"], "a base that moves meanwhile", () => {
  /** A git that commits to main, once, before the first update of a branch. */
  function meddling(times: number): RepositoryWork {
    const real =
      sandbox.environment["PATH"]?.split(":").find((folder) => existsSync(join(folder, "git"))) ?? "/usr/bin";
    const folder = join(sandbox.root, "meddling");
    mkdirSync(folder);
    const counter = join(sandbox.root, "counter");
    writeFileSync(counter, "");
    writeFileSync(
      join(folder, "git"),
      `#!/bin/sh
case " $* " in *" update-ref "*)
  if [ "$(wc -c < '${counter}')" -lt ${times} ]; then
    printf x >> '${counter}'
    n=$(wc -c < '${counter}')
    c=$('${real}/git' commit-tree -p main -m "meddled $n" 'main^{tree}')
    '${real}/git' update-ref refs/heads/main "$c"
  fi;;
esac
exec '${real}/git' "$@"
`,
    );
    chmodSync(join(folder, "git"), 0o755);
    const environment = { ...sandbox.environment, PATH: `${folder}:${sandbox.environment["PATH"]}` };
    return new Git({ environment }).work(project);
  }

  it.each(["checked out", "not checked out"])("is planned for anew (%s)", async (how) => {
    commitOn("task", { "file.txt": "task\n" });
    if (how === "not checked out") git("checkout", "--quiet", "--detach");
    const order = { base: "main", branch: "task", message: "Merge", trailers: {} };
    expect(await meddling(2).merges.merge(order, signal)).toMatchObject({ kind: "merged", fastForward: false });
    expect(git("log", "--format=%s", "--first-parent", "main")).toBe("Merge\nmeddled 2\nmeddled 1\nfirst");
    expect(git("status", "--porcelain")).toBe("");
  });

  it("and never rests is given up, with everything as it was", async () => {
    commitOn("task", { "file.txt": "task\n" });
    const order = { base: "main", branch: "task", message: "Merge", trailers: {} };
    await expect(meddling(1000).merges.merge(order, signal)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect(git("status", "--porcelain")).toBe("");
    expect(contentOf("file.txt")).toBe("one\n");
  });
});

testWith(["posix"], "a merge in a trusted repository is signed where commits are", async () => {
  const mark = join(sandbox.root, "signed");
  writeFiles(sandbox.root, {
    gpg: `#!/bin/sh\n: > '${mark}'\ncat > /dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\nx\\n-----END PGP SIGNATURE-----\\n'\n`,
  });
  chmodSync(join(sandbox.root, "gpg"), 0o755);
  commitOn("task", { "file.txt": "task\n" });
  commitOn("main", { "other.txt": "main\n" });
  git("config", "gpg.program", join(sandbox.root, "gpg"));
  git("config", "commit.gpgSign", "true");
  const order = { base: "main", branch: "task", message: "Merge", trailers: {} };
  await new Git(sandbox).work(project, { trusted: true }).merges.merge(order, signal);
  expect(existsSync(mark)).toBe(true);
  expect(git("cat-file", "commit", "main")).toContain("gpgsig");
});

it("D05 is not made where another program replaced a folder by a link while git wrote there", async () => {
  commitOn("task", { "folder/a.txt": "task\n" });
  const outside = join(sandbox.root, "outside");
  const bin = join(sandbox.root, "bin");
  for (const folder of [outside, bin]) mkdirSync(folder);
  const real = `${git("--exec-path")}/git`;
  const swap = `mv "${project}/folder" "${outside}/" && ln -s "${outside}/folder" "${project}/folder"`;
  const writes = `*" -u --dry-run "*) exec "${real}" "$@";; *" read-tree "*" -u "*) rm -f "$0"; ln -s "${real}" "$0"; "${real}" "$@" && ${swap};;`;
  writeFileSync(join(bin, "git"), `#!/bin/sh\ncase " $* " in ${writes} *) exec "${real}" "$@";; esac\n`);
  chmodSync(join(bin, "git"), 0o755);
  const environment = { ...sandbox.environment, PATH: `${bin}:${sandbox.environment["PATH"]}` };
  const there = new Git({ ...sandbox, environment }).work(project);
  const before = tipOf("main");
  const merging = there.merges.merge({ base: "main", branch: "task", message: "m", trailers: {} }, signal);
  await expect(merging).rejects.toThrow("another program moved or replaced folder/a.txt");
  expect([tipOf("main"), git("ls-files", "folder")]).toEqual([before, ""]);
});
