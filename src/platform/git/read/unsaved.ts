import { fingerprintOfName } from "../index/fingerprint.ts";
import { listNames, rawOf, textOf } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import { withScratch } from "../run/scratch.ts";
import { entryNamed } from "./entry-named.ts";
import { headOf, unfinishedOperation } from "./head.ts";
import { indexEntries, untrackedNames } from "./tree-entries.ts";
import { listUncommitted, type UncommittedItem } from "./uncommitted.ts";

/** What in a work tree must be kept that git alone does not tell. */
export type KeepCriteria = {
  /** Files that count although git ignores them. */
  wanted?: readonly string[];
  /** Whether an uncommitted file with this fingerprint may be deleted all the same: see {@link listUncommitted}. */
  isExpendable?(path: string, print: string): boolean;
};

/**
 * What would be lost with this work tree, in words: everything in it that is on no branch. Of what git ignores, which is
 * mostly generated, only the files in `wanted` count.
 */
export async function findUnsaved(runner: GitRunner, worth: KeepCriteria, signal: AbortSignal): Promise<string[]> {
  const reasons: string[] = [];
  const underWay = unfinishedOperation(runner);
  if (underWay !== undefined) reasons.push(`a ${underWay} is in progress in it`);
  const lost = await filterNotExpendable(await listUncommitted(runner, signal), worth);
  const [submodules, others] = [pathsOf(lost, isSubmodule), pathsOf(lost, (one) => !isSubmodule(one))];
  reasons.push(...describeUncommitted(others));
  const ignored = await findIgnored(runner, worth.wanted ?? [], signal);
  if (ignored.length > 0) reasons.push(`files written there that git ignores: ${listNames(ignored)}`);
  if (submodules.length > 0) reasons.push(`submodules with files in them: ${listNames(submodules)}`);
  reasons.push(...(await describeUnreachable(runner, signal)));
  return reasons;
}

/** Forge does not check submodules out; if a person did, there may be work in them. */
function isSubmodule({ kind }: UncommittedItem): boolean {
  return kind === "submodule";
}

/** A file that is changed in the index and on disk is named once. */
function pathsOf(found: readonly UncommittedItem[], isMeant: (one: UncommittedItem) => boolean): string[] {
  return [...new Set(found.filter(isMeant).map(({ path }) => path))];
}

/**
 * The same for one whose creation or removal was interrupted: missing files do not count, and there may be no index.
 */
export function findUnsavedInPartial(runner: GitRunner, worth: KeepCriteria, signal: AbortSignal): Promise<string[]> {
  return withScratch(runner, "fresh", async ({ index: environment }) => {
    await runner.must("read-tree", ["HEAD"], { signal, environment });
    const changed = await runner.records("diff", ["--name-only", "-z", "--no-renames", "--diff-filter=d"], {
      signal,
      environment,
    });
    const names = [...changed, ...(await untrackedNames(runner, environment, signal))];
    const found = names.map(
      (name): UncommittedItem => ({ path: textOf(name), kind: "file", print: () => fingerprintOfName(runner, name) }),
    );
    return describeUncommitted(pathsOf(await filterNotExpendable(found, worth), () => true));
  });
}

async function filterNotExpendable(
  found: UncommittedItem[],
  { isExpendable }: KeepCriteria,
): Promise<UncommittedItem[]> {
  if (!isExpendable) return found;
  const lost: UncommittedItem[] = [];
  for (const one of found) {
    const print = await one.print();
    if (print === undefined || !isExpendable(one.path, print)) lost.push(one);
  }
  return lost;
}

function describeUncommitted(names: readonly string[]): string[] {
  return names.length > 0 ? [`${names.length} uncommitted: ${listNames(names)}`] : [];
}

async function findIgnored(runner: GitRunner, wanted: readonly string[], signal: AbortSignal): Promise<string[]> {
  const present = wanted.filter((path) => entryNamed(runner, rawOf(path)));
  if (present.length === 0) return [];
  const tracked = new Set((await indexEntries(runner, signal)).map(({ name }) => name));
  const seen = new Set(await untrackedNames(runner, {}, signal));
  return present.filter((path) => !tracked.has(rawOf(path)) && !seen.has(rawOf(path)));
}

async function describeUnreachable(runner: GitRunner, signal: AbortSignal): Promise<string[]> {
  const { branch, commit } = await headOf(runner, signal);
  if (branch !== undefined || commit === undefined) return [];
  const args = ["--count=1", `--contains=${commit}`, "--format=%(refname)", "refs/"];
  const holder = await runner.line("for-each-ref", args, { signal });
  return holder === "" ? [`its commit ${commit} is on no branch`] : [];
}
