import { requireCommitId } from "../names/branch-name.ts";
import { fromRecords } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import { withScratch } from "../run/scratch.ts";
import { untrackedNames } from "./tree-entries.ts";

/** The id of a commit's tree. */
export function treeOf(runner: GitRunner, commit: string, signal: AbortSignal): Promise<string> {
  return runner.line("rev-parse", ["--verify", `${requireCommitId(commit)}^{tree}`], { signal });
}

/**
 * The id of the tree that committing everything here would make, untracked files included, ignored ones not. Nothing of it
 * stays. Only what changed since the index was written is read.
 */
export async function treeHash(at: GitRunner, signal: AbortSignal): Promise<string> {
  const runner = await at.withDisarmedConfig(signal);
  return withScratch(runner, "copied", async ({ objects: environment }) => {
    const [changed, untracked] = await Promise.all([
      runner.records("diff-files", ["-z", "--name-only"], { signal, environment }),
      untrackedNames(runner, environment, signal),
    ]);
    // What is gone comes first, so that a file can take the place of a folder.
    const names = [...new Set([...changed, ...untracked])];
    if (names.length > 0) {
      const args = ["--add", "--remove", "-z", "--stdin"];
      await runner.must("update-index", args, { signal, environment, input: fromRecords(names), deadlineMs: 120_000 });
    }
    return runner.line("write-tree", [], { signal, environment });
  });
}
