import { flaggedEntries, isHidden } from "../index/index-flags.ts";
import { requireCommitId } from "../names/branch-name.ts";
import { fromRecords } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import { withScratch } from "../run/scratch.ts";
import { entryNamed } from "./entry-named.ts";
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
    await showHidden(runner, environment, signal);
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

/** What git was told to pass over in the person's index is looked at in ours: tests run what is there. */
async function showHidden(runner: GitRunner, environment: Record<string, string>, signal: AbortSignal): Promise<void> {
  const entries = await flaggedEntries(runner, signal, environment);
  // What a sparse checkout leaves out is not there, and not deleted either.
  const hidden = entries.filter((entry) => isHidden(entry) && entryNamed(runner, entry.name)).map(({ name }) => name);
  if (hidden.length === 0) return;
  for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"])
    await runner.must("update-index", [flag, "-z", "--stdin"], { signal, environment, input: fromRecords(hidden) });
}
