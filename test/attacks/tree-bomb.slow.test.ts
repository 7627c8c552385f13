import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { Git } from "../../src/platform/git/git.ts";
import { makeSandbox } from "../harness/git/git.ts";

const { signal } = new AbortController();

/** A history in which few objects stand for 10^depth files, added and removed; a clone checks none of them out. */
function openBomb(depth: number) {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const root = sandbox.repository("project", { "a.txt": "a\n" });
  const git = (input: string, ...args: string[]) =>
    execFileSync("git", args, { cwd: root, input, env: sandbox.environment, encoding: "utf8" }).trim();
  const tree = (kind: string, id: string) =>
    git(Array.from({ length: 10 }, (_, at) => `${kind} ${id}\t${at}\n`).join(""), "mktree");
  let bomb = tree("100644 blob", git("", "hash-object", "-w", "--stdin"));
  for (let level = 1; level < depth; level++) bomb = tree("040000 tree", bomb);
  const [before, plain] = [git("", "rev-parse", "HEAD"), git("", "rev-parse", "HEAD^{tree}")];
  const added = git("Add", "commit-tree", bomb, "-p", before);
  git("", "update-ref", "HEAD", git("Remove", "commit-tree", plain, "-p", added));
  return new Git({ environment: sandbox.environment }).open(root);
}

test.runIf(process.platform === "linux")(
  "E a history of more files than fit into memory ends git before it has taken it all",
  async () => {
    const repository = openBomb(7);
    const { code, timedOut } = await repository.run("log", ["--name-only", "--format=%s"], {
      ...{ signal, deadlineMs: 120_000 },
      onStdout: () => undefined,
    });
    expect([code === 0, timedOut]).toEqual([false, false]);
  },
  150_000,
);
