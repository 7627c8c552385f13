import { ForgeError } from "../../../kernel/errors.ts";
import { listNames, textOf } from "../names/raw-names.ts";
import { headOf, requireNothingUnfinished, requireTip } from "../read/head.ts";
import { changesBetween } from "../read/tree-entries.ts";
import { requireUnfilteredIn } from "../run/filters.ts";
import type { GitRunner } from "../run/runner.ts";
import { describeCheckout, findCheckouts } from "../worktrees/work-tree-list.ts";
import { adoptFiles, findBlocking, namesToWrite } from "./overwrite-check.ts";
import { findMisplaced, writtenElsewhere } from "./verify-staged.ts";

const deadlineMs = 300_000;

/** Switches this work tree to a branch. What is not committed stays as it is; where it cannot, nothing is switched. */
export async function switchTo(runner: GitRunner, branch: string, signal: AbortSignal): Promise<void> {
  const tip = await requireTip(runner, branch, signal);
  const head = await headOf(runner, signal);
  if (head.branch === branch) return;
  requireNothingUnfinished(runner);
  const elsewhere = (await findCheckouts(runner, branch, signal)).find(
    ({ path, isGone }) => path !== runner.workTree && !isGone,
  );
  if (elsewhere)
    throw new ForgeError(
      "CONFLICT_ERROR",
      `The branch ${branch} is already checked out ${describeCheckout(elsewhere)}.`,
      {
        details: { branch, workTree: elsewhere.path },
        next: ["Work there, or switch that work tree to another branch first."],
      },
    );
  const changes = await changesBetween(runner, head.commit, tip, signal);
  await requireUnfilteredIn(runner, tip, namesToWrite(changes), signal);
  const { blocking, alike } = await findBlocking(runner, changes, tip, signal);
  if (blocking.length > 0) throw wouldOverwrite(runner, branch, blocking.map(textOf));
  await adoptFiles(runner, alike, signal);
  // Half a switch would be worse than a late answer to a cancelled call.
  const steady = { signal: new AbortController().signal, deadlineMs };
  await runner.must("switch", [branch], steady);
  const misplaced = await findMisplaced(runner, namesToWrite(changes), steady.signal);
  if (misplaced.length === 0) return;
  const back = head.branch === undefined ? ["--detach", head.commit ?? tip] : [head.branch];
  await runner.must("switch", back, steady);
  throw writtenElsewhere(runner, "switched", misplaced);
}

function wouldOverwrite({ workTree }: GitRunner, branch: string, files: string[]): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Switching ${workTree} to ${branch} would overwrite uncommitted changes: ${listNames(files)}. Nothing was changed.`,
    {
      details: { branch, workTree, files: files.slice(0, 100), total: files.length },
      next: ["Commit these files, or let the user move or stash them, then try again."],
    },
  );
}
