import { flaggedEntries, isHidden } from "../index/index-flags.ts";
import { textOf } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import { entryNamed } from "./entry-named.ts";

const ignored = "!! ";

/**
 * What is in the work tree and git passes over: tracked files that it was told not to look at, then ignored ones, whole
 * folders under one name that ends in a slash.
 */
export async function listIgnored(runner: GitRunner, signal: AbortSignal): Promise<string[]> {
  const args = ["--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignored=matching"];
  const [entries, records] = await Promise.all([
    flaggedEntries(runner, signal),
    runner.records("status", args, { signal }),
  ]);
  const hidden = entries.filter((entry) => isHidden(entry) && entryNamed(runner, entry.name));
  const others = records.filter((record) => record.startsWith(ignored)).map((record) => record.slice(ignored.length));
  return [...hidden.map(({ name }) => name), ...others].map(textOf);
}
