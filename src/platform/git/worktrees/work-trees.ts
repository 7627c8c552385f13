import { readdirSync, rmdirSync } from "node:fs";
import { basename } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../files/entry-at.ts";
import { refOf, requireCommitId } from "../names/branch-name.ts";
import { commitOf } from "../read/head.ts";
import { gitlink, treeEntries } from "../read/tree-entries.ts";
import { findUnsaved, findUnsavedInPartial, type KeepCriteria } from "../read/unsaved.ts";
import { gitFailure } from "../run/errors.ts";
import { requireUnfilteredIn } from "../run/filters.ts";
import type { GitRunner } from "../run/runner.ts";
import { createBranch } from "../write/branches.ts";
import { type ListedWorkTree, listWorkTrees } from "./work-tree-list.ts";
import { isWorkTreePlace, makeWorkTreesFolder, requireWorkTreePlace } from "./work-tree-places.ts";

const deadlineMs = 600_000;
/** Git's own word on one that is being made; one that ended in the middle still has it. */
const beingMade = "initializing";
const beingRemoved = "forge: being removed";

/** Makes a work tree with a new branch in it, in Forge's own folder. */
export async function addWorkTree(
  runner: GitRunner,
  folder: string,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  requireWorkTreePlace(runner, folder);
  const ref = refOf(branch);
  requireCommitId(commit);
  await runner.require("2.38", signal);
  if ((await commitOf(runner, ref, signal)) !== undefined || entryAt(folder))
    throw new ForgeError("CONFLICT_ERROR", `The branch ${branch} or the folder ${folder} already exists.`, {
      details: { branch, folder },
      next: ["Choose another name."],
    });
  await requireCheckout(runner, folder, commit, signal);
  // By itself: `worktree add -b` cannot be repeated where another git is in the way, since it has made the branch by then.
  await createBranch(runner, branch, commit, signal);
  const result = await runner.run("worktree", ["add", "--quiet", folder, branch], { signal, deadlineMs });
  if (result.code === 0) return;
  // Git takes back the folder itself.
  await runner.run("update-ref", ["--no-deref", "-d", ref, commit], { signal });
  throw gitFailure("worktree", runner.workTree, result);
}

/** What git would run while it writes the files is switched off, so they must not need it. */
async function requireCheckout(runner: GitRunner, folder: string, commit: string, signal: AbortSignal): Promise<void> {
  const entries = await treeEntries(runner, commit, signal);
  const files = entries.filter(({ mode }) => mode !== gitlink).map(({ name }) => name);
  await requireUnfilteredIn(runner, commit, files, signal);
  await requireUnconditional(runner, signal);
  makeWorkTreesFolder(runner, folder);
}

/** By its name: nobody works in one, so it can be discarded. */
const candidateName = /^merge_[A-Za-z0-9_]{1,100}$/;

/** Settings of one machine that have git write another content than the commit's, or only some of it. */
const asCommitted = ["core.autocrlf=false", "core.eol=lf", "core.symlinks=true", "core.sparseCheckout=false"];

/** Makes a work tree of a commit that is on no branch yet, to test it. */
export async function addCandidateTree(
  runner: GitRunner,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  requireWorkTreePlace(runner, folder);
  requireCandidate(folder);
  requireCommitId(commit);
  await runner.require("2.38", signal);
  await discardCandidateTree(runner, folder, signal);
  await requireCheckout(runner, folder, commit, signal);
  const args = ["add", "--quiet", "--no-guess-remote", "--detach", folder, commit];
  const environment = { GIT_ATTR_NOSYSTEM: "1" };
  await runner.must("worktree", args, { signal, deadlineMs, environment, settings: asCommitted });
}

/** Removes it with all that is in it; nothing happens where there is none. */
export async function discardCandidateTree(runner: GitRunner, folder: string, signal: AbortSignal): Promise<void> {
  requireWorkTreePlace(runner, folder);
  requireCandidate(folder);
  const main = mainOf(runner);
  const tree = (await listWorkTrees(main, signal)).find(({ path }) => path === folder);
  if (tree) await removeListed(main, tree, signal);
}

function requireCandidate(folder: string): void {
  if (!candidateName.test(basename(folder))) throw new Error(`${folder} is not a work tree for a merge`);
}

/**
 * Configuration that counts only in certain work trees or on certain branches cannot be looked at before there is one, and
 * git would run what it names while it makes it.
 */
async function requireUnconditional(runner: GitRunner, signal: AbortSignal): Promise<void> {
  if (runner.trust === "trusted") return;
  const args = ["--local", "--includes", "--name-only", "--get-regexp", "^includeif\\."];
  const result = await runner.run("config", args, { signal });
  if (result.code === 1) return;
  throw new ForgeError(
    "TRUST_REQUIRED",
    `${runner.workTree} is not trusted, and its git configuration differs between work trees (includeIf), so no work tree was created.`,
    {
      details: { workTree: runner.workTree },
      next: ["Remove the includeIf, which cannot be trusted; `git config --list --show-origin` shows where it is."],
    },
  );
}

/** Removes a work tree of Forge's; where anything would be lost with it, it stays, and what that is comes back. */
export async function removeWorkTree(
  runner: GitRunner,
  folder: string,
  signal: AbortSignal,
  worth: KeepCriteria = {},
): Promise<string[]> {
  requireWorkTreePlace(runner, folder);
  const main = mainOf(runner);
  const tree = (await listWorkTrees(main, signal)).find(({ path }) => path === folder);
  if (!tree) return entryAt(folder) ? ["git does not know this folder as a work tree of the repository"] : [];
  if (!tree.isGone) {
    const reasons = await findLosses(main, tree, worth, signal);
    if (reasons.length > 0) return reasons;
  }
  await removeListed(main, tree, signal);
  return [];
}

async function findLosses(
  main: GitRunner,
  tree: ListedWorkTree,
  worth: KeepCriteria,
  signal: AbortSignal,
): Promise<string[]> {
  const isHalf = tree.locked === beingMade || tree.locked === beingRemoved;
  if (tree.locked !== undefined && !isHalf) return [`it is locked: ${tree.locked || "no reason given"}`];
  if (isEmptyFolder(tree.path)) return [];
  const there = main.at(tree.path);
  if (!there) return ["its .git file does not lead back to this repository"];
  return isHalf ? findUnsavedInPartial(there, worth, signal) : findUnsaved(there, worth, signal);
}

/** Marked first: one that ends in the middle of it lacks files, which must not count as somebody's deletions. */
async function removeListed(main: GitRunner, tree: ListedWorkTree, signal: AbortSignal): Promise<void> {
  if (tree.locked === undefined) await main.must("worktree", ["lock", "--reason", beingRemoved, tree.path], { signal });
  // Git finds no fault with a folder that is not there, but with an empty one.
  if (!tree.isGone && isEmptyFolder(tree.path)) rmdirSync(tree.path);
  // Forced twice because it is locked, by us; that nothing is lost was seen a moment ago.
  await main.must("worktree", ["remove", "--force", "--force", tree.path], { signal, deadlineMs });
}

/** Has git forget Forge's work trees whose folders are gone; returns those. */
export async function pruneWorkTrees(runner: GitRunner, signal: AbortSignal): Promise<string[]> {
  const main = mainOf(runner);
  const gone = (await listWorkTrees(main, signal)).filter(
    ({ path, isGone }) => isGone && isWorkTreePlace(runner, path),
  );
  for (const tree of gone) await removeListed(main, tree, signal);
  return gone.map(({ path }) => path);
}

/** A work tree cannot be removed from inside. */
function mainOf(runner: GitRunner): GitRunner {
  const { mainWorkTree } = runner.location;
  return (mainWorkTree === undefined ? undefined : runner.at(mainWorkTree)) ?? runner;
}

function isEmptyFolder(path: string): boolean {
  return entryAt(path)?.isDirectory() === true && readdirSync(path).length === 0;
}
