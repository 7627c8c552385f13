import { ForgeError } from "../../../kernel/errors.ts";
import { refOf } from "../names/branch-name.ts";
import { type RawName, textOf, toRecords } from "../names/raw-names.ts";
import { commitOf, requireNothingUnfinished, requireTip } from "../read/head.ts";
import { changesBetween } from "../read/tree-entries.ts";
import { treeOf } from "../read/tree-hash.ts";
import { gitFailure } from "../run/errors.ts";
import { requireUnfilteredIn } from "../run/filters.ts";
import type { GitRunner } from "../run/runner.ts";
import { withScratch } from "../run/scratch.ts";
import type { BaseMove, MergeInput, MergeOutcome, MergePlan, PreparedMerge, ResumeOutcome } from "../work-model.ts";
import { describeCheckout, findCheckouts } from "../worktrees/work-tree-list.ts";
import { isAncestor } from "./branches.ts";
import { requireIdentity } from "./identity.ts";
import { composeMessage } from "./message.ts";
import { adoptFiles, findBlocking, namesToWrite } from "./overwrite-check.ts";
import { findMisplaced, writtenElsewhere } from "./verify-staged.ts";

const maxTries = 5;
const deadlineMs = 300_000;
const maxOutputBytes = 64 * 1024 * 1024;

type Tips = { base: string; branch: string };

/** What merging a branch into its base would come to; no object stays of it. */
export async function planMerge(
  runner: GitRunner,
  base: string,
  branch: string,
  signal: AbortSignal,
): Promise<MergePlan> {
  const tips = { base: await requireTip(runner, base, signal), branch: await requireTip(runner, branch, signal) };
  return withScratch(runner, "fresh", ({ objects }) => computeMerge(runner, tips, signal, objects));
}

async function computeMerge(
  runner: GitRunner,
  { base, branch }: Tips,
  signal: AbortSignal,
  environment: Record<string, string> = {},
): Promise<MergePlan> {
  if (await isAncestor(runner, branch, base, signal)) return { kind: "nothing" };
  if (await isAncestor(runner, base, branch, signal)) return { kind: "fast-forward", commit: branch };
  await runner.require("2.38", signal);
  const args = ["-z", "--name-only", "--no-messages", base, branch];
  const result = await runner.run("merge-tree", args, { signal, environment, deadlineMs, maxOutputBytes });
  const [tree = "", ...files] = toRecords(result.stdout);
  if (result.code === 0) return { kind: "clean", tree };
  if (result.code === 1)
    return { kind: "conflict", files: [...new Set(files)].filter((name) => name !== "").map(textOf) };
  throw gitFailure("merge-tree", runner.workTree, result);
}

/** Makes the merge, with its commit where it needs one, and moves nothing to it. */
export async function prepareMerge(
  runner: GitRunner,
  order: Omit<MergeInput, "candidate" | "beforeMove">,
  signal: AbortSignal,
): Promise<PreparedMerge> {
  await requireDirect(runner, order.base, signal);
  const tips = {
    base: await requireTip(runner, order.base, signal),
    branch: await requireTip(runner, order.branch, signal),
  };
  if (tips.branch !== (order.tip ?? tips.branch)) return { kind: "moved", tip: tips.branch };
  const planned = await computeMerge(runner, tips, signal);
  if (planned.kind === "conflict") return planned;
  if (planned.kind === "nothing") return { kind: "nothing", commit: tips.base };
  const fastForward = planned.kind === "fast-forward";
  const message = composeMessage(order.message, order.trailers);
  const commit = fastForward ? tips.branch : await mergeCommit(runner, planned.tree, tips, message, signal);
  const tree = fastForward ? await treeOf(runner, commit, signal) : planned.tree;
  return { kind: "candidate", candidate: { base: tips.base, commit, tree, fastForward } };
}

/**
 * Merges a branch into its base: fast-forward, or a merge commit where both went on. Where the base is checked out, its files
 * follow, and go first: killed in between, the merge can be done again.
 */
export async function merge(runner: GitRunner, order: MergeInput, signal: AbortSignal): Promise<MergeOutcome> {
  const message = composeMessage(order.message, order.trailers);
  await requireDirect(runner, order.base, signal);
  for (let left = maxTries; ; left--) {
    const tips = {
      base: await requireTip(runner, order.base, signal),
      branch: await requireTip(runner, order.branch, signal),
    };
    if (tips.branch !== (order.tip ?? tips.branch)) return { kind: "moved", tip: tips.branch };
    if (order.candidate && order.candidate.base !== tips.base) return { kind: "stale" };
    const planned = await computeMerge(runner, tips, signal);
    if (planned.kind === "conflict") return planned;
    if (planned.kind === "nothing") return { kind: "merged", commit: tips.base, fastForward: true };
    const fastForward = planned.kind === "fast-forward";
    const commit =
      order.candidate?.commit ??
      (fastForward ? tips.branch : await mergeCommit(runner, planned.tree, tips, message, signal));
    const outcome = await moveBase(runner, order, { from: tips.base, to: commit }, signal);
    if (outcome === "done") return { kind: "merged", commit, fastForward };
    if (outcome !== "moved") return { kind: "blocked", files: outcome };
    if (left <= 1) throw movingBranch(order.base);
  }
}

/** A name for another branch: what is checked out where could not be told. */
async function requireDirect(runner: GitRunner, base: string, signal: AbortSignal): Promise<void> {
  const result = await runner.run("symbolic-ref", ["--quiet", refOf(base)], { signal });
  if (result.code !== 0) return;
  throw new ForgeError(
    "CONFLICT_ERROR",
    `${base} is a symbolic name for another branch, and Forge does not merge into it.`,
    {
      details: { branch: base },
      next: ["Give the branch that it refers to."],
    },
  );
}

async function mergeCommit(runner: GitRunner, tree: string, tips: Tips, message: string, signal: AbortSignal) {
  await requireIdentity(runner, signal);
  const signing = runner.trust === "trusted" && (await signsCommits(runner, signal)) ? ["--gpg-sign"] : [];
  const args = [...signing, "-p", tips.base, "-p", tips.branch, "-F", "-", tree];
  return runner.line("commit-tree", args, { signal, input: message, deadlineMs });
}

async function signsCommits(runner: GitRunner, signal: AbortSignal): Promise<boolean> {
  const result = await runner.run("config", ["--type=bool", "--get", "commit.gpgSign"], { signal });
  return result.code === 0 && result.stdout.toString().trim() === "true";
}

/** Moves the base, with the files of the work tree that is on it. `moved`: somebody else moved it; else what is in the way. */
async function moveBase(
  runner: GitRunner,
  { base, beforeMove }: Pick<MergeInput, "base" | "beforeMove">,
  { from, to }: BaseMove,
  signal: AbortSignal,
): Promise<"done" | "moved" | string[]> {
  const place = await findBaseWorkTree(runner, base, signal);
  if (!place) return (await moveRef(runner, base, from, to, signal)) ? "done" : "moved";
  requireNothingUnfinished(place);
  if ((await commitOf(place, "HEAD", signal)) !== from) return "moved";
  const changes = await changesBetween(place, from, to, signal);
  await requireUnfilteredIn(place, to, namesToWrite(changes), signal);
  const { blocking, alike } = await findBlocking(place, changes, to, signal);
  if (blocking.length > 0) return blocking.map(textOf);
  await beforeMove?.({ from, to });
  await adoptFiles(place, alike, signal);
  return moveBoth(place, { base, from, to, written: namesToWrite(changes) });
}

/**
 * Does the rest of a merge that ended after it had moved files of the base's work tree and before it had moved the base: there
 * they would be staged as if somebody had made these changes.
 */
export async function resumeMerge(
  runner: GitRunner,
  base: string,
  { from, to }: BaseMove,
  signal: AbortSignal,
): Promise<ResumeOutcome> {
  if ((await commitOf(runner, refOf(base), signal)) !== from) return { kind: "none" };
  const place = await findBaseWorkTree(runner, base, signal);
  if (!place) return { kind: "none" };
  const changes = await changesBetween(place, from, to, signal);
  const { blocking, alike } = await findBlocking(place, changes, to, signal);
  if (alike.length === 0) return { kind: "none" };
  if (blocking.length > 0) return { kind: "blocked", files: blocking.map(textOf) };
  const outcome = await moveBase(runner, { base }, { from, to }, signal);
  if (outcome === "done") return { kind: "merged" };
  return outcome === "moved" ? { kind: "none" } : { kind: "blocked", files: outcome };
}

/** From here on a cancelled call waits: half of this would be worse than all of it. */
async function moveBoth(
  place: GitRunner,
  { base, from, to, written }: BaseMove & { base: string; written: readonly RawName[] },
): Promise<"done" | "moved"> {
  const steady = new AbortController().signal;
  await moveFiles(place, from, to, steady);
  try {
    const misplaced = await findMisplaced(place, written, steady);
    if (misplaced.length > 0) throw writtenElsewhere(place, "merged", misplaced);
    if (await moveRef(place, base, from, to, steady)) return "done";
  } catch (error) {
    await moveFiles(place, to, from, steady);
    throw error;
  }
  await moveFiles(place, to, from, steady);
  return "moved";
}

/** The work tree that is on the base; undefined where none is. */
async function findBaseWorkTree(runner: GitRunner, base: string, signal: AbortSignal): Promise<GitRunner | undefined> {
  // One whose folder is gone will be pruned; one that is locked may be on a disk that comes back.
  const places = (await findCheckouts(runner, base, signal)).filter(
    (tree) => !tree.isGone || tree.locked !== undefined,
  );
  const [place, another] = places;
  if (!place) return undefined;
  const there = place.isGone || another || place.branch !== base ? undefined : runner.at(place.path);
  if (there) return there;
  throw new ForgeError(
    "CONFLICT_ERROR",
    `The branch ${base} is in use ${describeCheckout(place)}, whose files Forge cannot update.`,
    {
      details: { branch: base, workTree: place.path },
      next: ["The user has to switch that work tree to another branch, or finish what is in progress there."],
    },
  );
}

async function moveFiles(place: GitRunner, from: string, to: string, signal: AbortSignal): Promise<void> {
  const refreshed = await place.run("update-index", ["--refresh"], { signal });
  // 1: some files are changed. Those that matter here were looked at.
  if (refreshed.code !== 0 && refreshed.code !== 1) throw gitFailure("update-index", place.workTree, refreshed);
  await place.must("read-tree", ["-m", "-u", "--dry-run", from, to], { signal, deadlineMs });
  await place.must("read-tree", ["-m", "-u", from, to], { signal, deadlineMs });
}

/** False where the branch is no longer where it was. */
async function moveRef(
  runner: GitRunner,
  base: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<boolean> {
  const ref = refOf(base);
  const result = await runner.run("update-ref", ["-m", "forge: merged", "--no-deref", ref, to, from], { signal });
  if (result.code === 0) return true;
  if ((await commitOf(runner, ref, signal)) !== from) return false;
  throw gitFailure("update-ref", runner.workTree, result);
}

function movingBranch(base: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `The branch ${base} moved every time Forge tried to merge into it.`, {
    details: { branch: base, tries: maxTries },
    next: ["Try again when fewer people are committing to it. Nothing was changed."],
  });
}
