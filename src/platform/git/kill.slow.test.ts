import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { describeWith, testWith } from "../../../test/harness/faults/faults.ts";
import { makeSandbox, type Sandbox, writeFiles } from "../../../test/harness/git/git.ts";
import { Git } from "./git.ts";
import type { RepositoryWork } from "./work.ts";

const { signal } = new AbortController();
const writing = "commit commit-tree merge-tree read-tree switch symbolic-ref update-index update-ref worktree".split(
  " ",
);

let sandbox: Sandbox;
let template: string;
let project: string;
beforeEach(() => {
  sandbox = makeSandbox();
  template = sandbox.repository("template", { "file.txt": "one\n", "other.txt": "one\n", "deep/a.txt": "a\n" });
  project = join(sandbox.root, "project");
});
afterEach(() => sandbox.dispose());

const git = (...args: string[]) => sandbox.git(project, ...args).trim();
const alive = () => new Git(sandbox).work(project);

/** With a git that is no more after so many commands that write: nothing can be put right afterwards, as when we are killed. */
function dyingAfter(writes: number): { work: RepositoryWork; hasDied(): boolean } {
  const { PATH = "" } = sandbox.environment;
  const real = PATH.split(":").find((folder) => existsSync(join(folder, "git"))) ?? "";
  const folder = join(sandbox.root, `dying-${writes}`);
  const dead = join(folder, "dead");
  const counter = join(folder, "counter");
  mkdirSync(folder);
  writeFileSync(counter, "");
  writeFileSync(
    join(folder, "git"),
    `#!/bin/sh
[ -e '${dead}' ] && exit 137
'${real}/git' "$@"
code=$?
for word; do case "$word" in ${writing.join("|")}) printf x >> '${counter}'; break;; esac; done
[ "$(wc -c < '${counter}')" -ge ${writes} ] && : > '${dead}'
exit $code
`,
  );
  chmodSync(join(folder, "git"), 0o755);
  const environment = { ...sandbox.environment, PATH: `${folder}:${PATH}` };
  return { work: new Git({ ...sandbox, environment }).work(project), hasDied: () => existsSync(dead) };
}

/** Kills an operation after its first command that writes, its second, and so on to its last; returns how many there were. */
async function killEverywhere(
  prepare: () => void,
  act: (work: RepositoryWork) => Promise<unknown>,
  check: () => Promise<void>,
): Promise<number> {
  for (let writes = 1; ; writes++) {
    rmSync(project, { recursive: true, force: true });
    rmSync(sandbox.workTreesHome, { recursive: true, force: true });
    cpSync(template, project, { recursive: true });
    prepare();
    const { work, hasDied } = dyingAfter(writes);
    await act(work).catch(() => undefined);
    expect(git("fsck", "--strict", "--no-dangling")).toBe("");
    await check();
    if (!hasDied()) return writes - 1;
  }
}

describeWith(["posix"], "killed between any two steps", () => {
  testWith(["posix"], "a commit is made or can be made, and nothing else is in it", async () => {
    const order = { message: "m", trailers: {}, paths: ["file.txt", "new.txt", "deep/a.txt"] };
    const points = await killEverywhere(
      () => {
        writeFiles(project, { "file.txt": "two\n", "new.txt": "n\n", "other.txt": "mine\n" });
        rmSync(join(project, "deep/a.txt"));
        git("add", "other.txt");
      },
      (work) => work.commits.create(order, signal),
      async () => {
        const isMade = git("rev-list", "--count", "HEAD") === "2";
        if (!isMade) await alive().commits.create(order, signal);
        expect(git("show", "--name-status", "--format=")).toBe("D\tdeep/a.txt\nM\tfile.txt\nA\tnew.txt");
        expect(git("status", "--porcelain")).toBe("M  other.txt");
      },
    );
    expect(points).toBeGreaterThan(4);
  });

  testWith(["posix"], "a merge is done by a second try, and no file shows as changed", async () => {
    const order = { base: "main", branch: "task", message: "m", trailers: {} };
    const points = await killEverywhere(
      () => {
        git("checkout", "--quiet", "-b", "task");
        writeFiles(project, { "file.txt": "task\n", "new.txt": "n\n" });
        rmSync(join(project, "deep/a.txt"));
        git("add", "--all");
        git("commit", "--quiet", "--message", "task");
        git("checkout", "--quiet", "main");
        writeFiles(project, { "other.txt": "main\n" });
        git("commit", "--quiet", "--all", "--message", "main");
        writeFiles(project, { "loose.txt": "mine\n" });
      },
      (work) => work.merges.merge(order, signal),
      async () => {
        expect(await alive().merges.merge(order, signal)).toMatchObject({ kind: "merged" });
        expect(git("status", "--porcelain")).toBe("?? loose.txt");
        expect(git("ls-tree", "-r", "--name-only", "main")).toBe("file.txt\nnew.txt\nother.txt");
        expect(existsSync(join(project, "deep"))).toBe(false);
      },
    );
    expect(points).toBeGreaterThan(4);
  });

  testWith(["posix"], "a switch is done by a second try", async () => {
    await killEverywhere(
      () => {
        git("checkout", "--quiet", "-b", "task");
        writeFiles(project, { "file.txt": "task\n", "new.txt": "n\n" });
        git("add", "--all");
        git("commit", "--quiet", "--message", "task");
        git("checkout", "--quiet", "main");
      },
      (work) => work.branches.switchTo("task", signal),
      async () => {
        await alive().branches.switchTo("task", signal);
        expect(git("status", "--porcelain")).toBe("");
        expect(readFileSync(join(project, "file.txt"), "utf8")).toBe("task\n");
      },
    );
  });

  testWith(["posix"], "a work tree is made or removed by a second try", async () => {
    const place = () => join(alive().workTrees.places.apart, "e1");
    await killEverywhere(
      () => undefined,
      async (work) => {
        await work.workTrees.add(place(), "task", git("rev-parse", "HEAD"), signal);
        await work.workTrees.remove(place(), signal);
      },
      async () => {
        expect(await alive().workTrees.remove(place(), signal)).toEqual([]);
        expect(await alive().workTrees.list(signal)).toHaveLength(1);
        const tip = await alive().branches.tip("task", signal);
        if (tip !== undefined) await alive().branches.delete("task", tip, signal);
        await alive().workTrees.add(place(), "task", git("rev-parse", "HEAD"), signal);
        expect(git("status", "--porcelain")).toBe("");
      },
    );
  });
});
