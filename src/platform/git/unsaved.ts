import { readdirSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../files/entry.ts";
import { headOf, unfinishedIn } from "./head.ts";
import { entryNamed } from "./in-the-way.ts";
import { printOfName } from "./prints.ts";
import { exactText, listed, type RawName, rawOf, textOf } from "./raw-names.ts";
import type { GitRunner } from "./runner.ts";
import { withScratch } from "./scratch.ts";
import { gitlink, indexEntries, untrackedNames } from "./tree-entries.ts";

/** What in a work tree is worth keeping that git alone would not tell. */
export type Worth = {
  /** Files that count although git ignores them. */
  wanted?: readonly string[];
  /** Whether a file that is not committed may go all the same, being still what it is by its print. */
  isExpendable?(path: string, print: string): boolean;
};

/**
 * What would be lost with this work tree, in words: everything in it that no branch has. Of what git ignores, which is mostly
 * made from the rest, only the files in `wanted` count.
 */
export async function unsavedIn(runner: GitRunner, worth: Worth, signal: AbortSignal): Promise<string[]> {
  const reasons: string[] = [];
  const underWay = unfinishedIn(runner);
  if (underWay !== undefined) reasons.push(`a ${underWay} is under way in it`);
  const args = ["--porcelain", "-z", "--no-renames", "--untracked-files=all"];
  const changed = await runner.records("status", args, { signal });
  // What is staged may be another content than the file's, which only the index has.
  const staged = changed.filter((record) => !/^[ ?]/.test(record)).map((record) => textOf(record.slice(3)));
  const others = changed.filter((record) => /^[ ?]/.test(record)).map((record) => record.slice(3));
  reasons.push(...uncommitted([...staged, ...(await notExpendable(runner, others, worth))]));
  const ignored = await ignoredOf(runner, worth.wanted ?? [], signal);
  if (ignored.length > 0) reasons.push(`written there, and ignored by git: ${listed(ignored)}`);
  reasons.push(...(await submodules(runner, signal)), ...(await onNoBranch(runner, signal)));
  return reasons;
}

/**
 * The same for one whose making or removing ended in the middle: files that are missing were not there yet, or no more, and
 * there may be no index.
 */
export function unsavedInHalf(runner: GitRunner, worth: Worth, signal: AbortSignal): Promise<string[]> {
  return withScratch(runner, "fresh", async ({ index: environment }) => {
    await runner.must("read-tree", ["HEAD"], { signal, environment });
    const changed = await runner.records("diff", ["--name-only", "-z", "--no-renames", "--diff-filter=d"], {
      signal,
      environment,
    });
    const names = [...changed, ...(await untrackedNames(runner, environment, signal))];
    return uncommitted(await notExpendable(runner, names, worth));
  });
}

async function notExpendable(runner: GitRunner, names: readonly RawName[], { isExpendable }: Worth): Promise<string[]> {
  if (!isExpendable) return names.map(textOf);
  const lost: string[] = [];
  for (const name of names) {
    const print = await printOfName(runner, name);
    if (print === undefined || !isExpendable(textOf(name), print)) lost.push(textOf(name));
  }
  return lost;
}

function uncommitted(names: readonly string[]): string[] {
  return names.length > 0 ? [`${names.length} uncommitted: ${listed(names)}`] : [];
}

async function ignoredOf(runner: GitRunner, wanted: readonly string[], signal: AbortSignal): Promise<string[]> {
  const present = wanted.filter((path) => entryNamed(runner, rawOf(path)));
  if (present.length === 0) return [];
  const tracked = new Set((await indexEntries(runner, signal)).map(({ name }) => name));
  const seen = new Set(await untrackedNames(runner, {}, signal));
  return present.filter((path) => !tracked.has(rawOf(path)) && !seen.has(rawOf(path)));
}

/** Forge does not fill them; where somebody did, there may be work in them that only they know of. */
async function submodules(runner: GitRunner, signal: AbortSignal): Promise<string[]> {
  const links = (await indexEntries(runner, signal)).filter(({ mode }) => mode === gitlink);
  const filled = links.filter(({ name }) => {
    const path = join(runner.workTree, exactText(name) ?? "");
    return entryAt(path)?.isDirectory() === true && readdirSync(path).length > 0;
  });
  return filled.length > 0 ? [`submodules with files in them: ${listed(filled.map(({ name }) => textOf(name)))}`] : [];
}

async function onNoBranch(runner: GitRunner, signal: AbortSignal): Promise<string[]> {
  const { branch, commit } = await headOf(runner, signal);
  if (branch !== undefined || commit === undefined) return [];
  const args = ["--count=1", `--contains=${commit}`, "--format=%(refname)", "refs/"];
  const holder = await runner.line("for-each-ref", args, { signal });
  return holder === "" ? [`its commit ${commit} is on no branch`] : [];
}
