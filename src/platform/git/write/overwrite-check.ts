import { flaggedEntries, isHidden } from "../index/index-flags.ts";
import { bytesOf, fromRecords, type RawName } from "../names/raw-names.ts";
import { entryNamed } from "../read/entry-named.ts";
import { type EntryChange, gitlink } from "../read/tree-entries.ts";
import type { GitRunner } from "../run/runner.ts";
import { withScratch } from "../run/scratch.ts";

/**
 * Which files of a work tree are in the way of these changes: changed or staged by somebody, kept from git's eyes, or neither
 * tracked nor to be overwritten, ignored ones included. What is already as the changes would make it is not in the way; it comes back as
 * `alike`.
 */
export async function findBlocking(
  runner: GitRunner,
  changes: readonly EntryChange[],
  target: string,
  signal: AbortSignal,
): Promise<{ blocking: RawName[]; alike: RawName[] }> {
  const { touched, hidden } = await findTouched(runner, changes, signal);
  if (touched.length === 0) return { blocking: hidden, alike: [] };
  const different = await findDifferent(runner, touched, target, signal);
  const blocking = [...hidden, ...touched.filter((name) => different.has(name))];
  return { blocking, alike: touched.filter((name) => !different.has(name)) };
}

/** `hidden`: git was told not to look at them, so it cannot say whether anything is changed in them. */
async function findTouched(runner: GitRunner, changes: readonly EntryChange[], signal: AbortSignal) {
  const [dirty, entries] = await Promise.all([listDirty(runner, signal), flaggedEntries(runner, signal)]);
  const tracked = new Set(entries.map(({ name }) => name));
  const unseen = new Set(entries.filter(isHidden).map(({ name }) => name));
  const touched = new Set<RawName>();
  const hidden: RawName[] = [];
  for (const { name, status } of changes) {
    if (unseen.has(name) && entryNamed(runner, name)) hidden.push(name);
    else if (dirty.has(name)) touched.add(name);
    else if (status === "A" && !tracked.has(name)) {
      const obstacle = await findObstacle(runner, name, tracked, signal);
      if (obstacle !== undefined) touched.add(obstacle);
    }
  }
  return { touched: [...touched], hidden };
}

/** Tracked files that differ from HEAD in the index or the work tree. */
async function listDirty(runner: GitRunner, signal: AbortSignal): Promise<Set<RawName>> {
  const args = ["--porcelain", "-z", "--no-renames", "--untracked-files=no"];
  const records = await runner.records("status", args, { signal });
  return new Set(records.map((record) => record.slice(3)));
}

/** What is in the place of a new file or of one of its folders; undefined if the place is free. */
async function findObstacle(runner: GitRunner, name: RawName, tracked: Set<RawName>, signal: AbortSignal) {
  const parts = name.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const entry = entryNamed(runner, part);
    if (!entry) return undefined;
    if (entry.isDirectory()) continue;
    return tracked.has(part) ? undefined : part;
  }
  // A folder is there. Git removes it if everything in it is tracked and deleted too; anything else must be kept.
  const others = await runner.records("ls-files", ["--others", "-z", "--", `${pathText(name)}/`], { signal });
  return others.length > 0 ? name : undefined;
}

/** As an argument; of a name that is no UTF-8 only what is above it can be asked for. */
function pathText(name: RawName): string {
  return bytesOf(name).toString();
}

/** Those of these files that are not, in the work tree, what they are in the target. */
function findDifferent(runner: GitRunner, names: readonly RawName[], target: string, signal: AbortSignal) {
  return withScratch(runner, "copied", async ({ objects: environment }) => {
    const args = ["--add", "--remove", "-z", "--stdin"];
    const read = await runner.run("update-index", args, { signal, environment, input: fromRecords(names) });
    if (read.code !== 0) return new Set(names);
    const different = await runner.records(
      "diff-index",
      ["--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--end-of-options", target, "--"],
      { signal, environment },
    );
    return new Set(different.filter((_, at) => at % 2 === 1));
  });
}

/** Takes files that are alike into the index, so that git sees it too. */
export async function adoptFiles(runner: GitRunner, names: readonly RawName[], signal: AbortSignal): Promise<void> {
  if (names.length === 0) return;
  await runner.must("update-index", ["--add", "--remove", "-z", "--stdin"], { signal, input: fromRecords(names) });
}

/** The names that will be written, for which a filter would have to run. */
export function namesToWrite(changes: readonly EntryChange[]): RawName[] {
  return changes.filter(({ status, mode }) => status !== "D" && mode !== gitlink).map(({ name }) => name);
}
