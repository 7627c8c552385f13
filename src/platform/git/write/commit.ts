import { ForgeError } from "../../../kernel/errors.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import type { RunResult } from "../../exec/run.ts";
import { toText } from "../../exec/to-text.ts";
import { copyIndex, putBackIndex, readIndex } from "../index/index-file.ts";
import { fromRecords, listNames, type RawName, textOf } from "../names/raw-names.ts";
import { commitOf, requireNothingUnfinished } from "../read/head.ts";
import {
  changesBetween,
  type EntryChange,
  indexEntries,
  indexLine,
  removalLine,
  type TreeEntry,
} from "../read/tree-entries.ts";
import { gitFailure } from "../run/errors.ts";
import { requireUnfiltered } from "../run/filters.ts";
import { findHeldLock } from "../run/locks.ts";
import type { GitRunner } from "../run/runner.ts";
import { type Scratch, withScratch } from "../run/scratch.ts";
import type { CommitInput, CommitResult } from "../work-model.ts";
import { type CommitNames, commitNames } from "./commit-paths.ts";
import { requireIdentity } from "./identity.ts";
import { composeMessage } from "./message.ts";
import { reviewIndex } from "./review.ts";
import { findChangedSinceCheck, findMisread } from "./verify-staged.ts";

/** A person's hooks may run their tests. */
const deadlineMs = 900_000;
const maxShownOutput = 20_000;
/** What hooks say may hold anything. Secrets are removed before a part of it is cut off: half a token does not look like one. */
const redactor = new Redactor();

/**
 * Commits these files as they are in the work tree and nothing else, whatever is staged. They are staged first: killed at
 * any point, this leaves them staged or committed, never an index that would take the commit back.
 */
export async function commit(runner: GitRunner, order: CommitInput, signal: AbortSignal): Promise<CommitResult> {
  const message = composeMessage(order.message, order.trailers);
  requireNothingUnfinished(runner);
  await requireIdentity(runner, signal);
  const head = await commitOf(runner, "HEAD", signal);
  const names = await commitNames(runner, order.paths, head, signal);
  await requireUnfiltered(runner, names.present, signal);
  const { gitDir } = runner.location;
  const before = readIndex(gitDir);
  let after: Buffer | undefined;
  try {
    const staged = await stageFiles(runner, names, signal);
    after = readIndex(gitDir);
    const changed = order.checked ? await findChangedSinceCheck(runner, staged, order.checked.seen) : [];
    if (order.checked && changed.length > 0) throw order.checked.refusal(changed);
    const misread = await findMisread(runner, staged, signal);
    if (misread.length > 0) throw changedMeanwhile(runner, misread);
    const made = await withScratch(runner, "fresh", async (scratch) => {
      await prepareIndex(runner, scratch, { head, names, staged }, signal);
      if (order.review) {
        const digits = [...staged.values()][0]?.id.length ?? 40;
        const place = { environment: scratch.index, digits, find: order.review.findSecrets };
        await order.review.require(await reviewIndex(runner, head, place, signal));
      }
      return commitIndex(runner, scratch, { head, message }, signal);
    });
    await updateUserIndex(runner, made.changes, staged);
    const files = made.changes.map(({ name }) => textOf(name));
    return { commit: made.commit, files, hookOutput: made.hookOutput };
  } catch (error) {
    // The call's own signal may be what ended it.
    const now = await commitOf(runner, "HEAD", AbortSignal.timeout(10_000));
    if (now === head) putBackIndex(gitDir, before, after ?? readIndex(gitDir));
    throw error;
  }
}

/** Takes the files into the person's index; returns what they are in it. */
async function stageFiles(
  runner: GitRunner,
  { present, gone }: CommitNames,
  signal: AbortSignal,
): Promise<Map<RawName, TreeEntry>> {
  const from = (names: RawName[]) => ({ signal, input: fromRecords(names), deadlineMs: 120_000 });
  if (gone.length > 0) await runner.must("update-index", ["--force-remove", "-z", "--stdin"], from(gone));
  if (present.length > 0) await runner.must("update-index", ["--add", "--remove", "-z", "--stdin"], from(present));
  const wanted = new Set(present);
  const entries = await indexEntries(runner, signal);
  return new Map(entries.filter(({ name }) => wanted.has(name)).map((entry) => [entry.name, entry]));
}

type IndexContent = { head: string | undefined; names: CommitNames; staged: Map<RawName, TreeEntry> };

/** An index of our own that holds HEAD and the files that were staged, and nothing else of what is. */
async function prepareIndex(
  runner: GitRunner,
  { index: environment }: Scratch,
  prepared: IndexContent,
  signal: AbortSignal,
) {
  const { head, names, staged } = prepared;
  if (head === undefined && staged.size === 0) throw nothingToCommit(runner, names);
  copyIndex(runner.location.gitDir, environment["GIT_INDEX_FILE"] ?? "");
  await runner.must("read-tree", head === undefined ? ["--empty"] : ["--reset", head], { signal, environment });
  const digits = (head ?? [...staged.values()][0]?.id ?? "").length;
  const removed = [...names.gone, ...names.present.filter((name) => !staged.has(name))];
  const lines = [...removed.map((name) => removalLine(name, digits)), ...[...staged.values()].map(indexLine)];
  await runner.must("update-index", ["-z", "--index-info"], { signal, environment, input: fromRecords(lines) });
  if (head !== undefined && !(await differs(runner, head, environment, signal))) throw nothingToCommit(runner, names);
}

function changedMeanwhile({ workTree }: GitRunner, files: string[]): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Nothing was committed in ${workTree}: another program changed ${listNames(files)} at the same time.`,
    {
      details: { workTree, files: files.slice(0, 100) },
      next: ["Commit again once nothing writes to these files."],
    },
  );
}

function nothingToCommit({ workTree }: GitRunner, { present }: CommitNames): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    "There is nothing to commit: these files are the same as in the last commit.",
    {
      details: { workTree, paths: present.slice(0, 20).map(textOf) },
      next: ["Change a file first, or name files that were changed."],
    },
  );
}

async function differs(runner: GitRunner, head: string, environment: Record<string, string>, signal: AbortSignal) {
  const args = ["--cached", "--quiet", "--end-of-options", head, "--"];
  const result = await runner.run("diff-index", args, { signal, environment });
  if (result.code !== 0 && result.code !== 1) throw gitFailure("diff-index", runner.workTree, result);
  return result.code === 1;
}

type NewCommit = { commit: string; changes: EntryChange[]; hookOutput: string };

async function commitIndex(
  runner: GitRunner,
  { index: environment }: Scratch,
  { head, message }: { head: string | undefined; message: string },
  signal: AbortSignal,
): Promise<NewCommit> {
  const result = await runner.run("commit", ["--file=-"], { signal, environment, input: message, deadlineMs });
  const hookOutput = outputOf(result);
  if (result.code !== 0) throw commitFailed(runner, result, hookOutput);
  // The commit is made, so even a cancelled call must be told.
  const steady = new AbortController().signal;
  const commit = await commitOf(runner, "HEAD", steady);
  if (commit === undefined || commit === head) throw commitFailed(runner, result, hookOutput);
  return { commit, changes: await changesBetween(runner, head, commit, steady), hookOutput };
}

/** A hook may have changed what went in; the person's index follows, or it would show the opposite as a change. */
async function updateUserIndex(
  runner: GitRunner,
  changes: EntryChange[],
  staged: Map<RawName, TreeEntry>,
): Promise<void> {
  const other = changes.filter(({ name, id, mode, status }) => {
    const ours = staged.get(name);
    return status === "D" ? ours !== undefined : ours?.id !== id || ours.mode !== mode;
  });
  if (other.length === 0) return;
  const lines = other.map((change) =>
    change.status === "D" ? removalLine(change.name, change.id.length) : indexLine(change),
  );
  await runner.must("update-index", ["-z", "--index-info"], {
    signal: new AbortController().signal,
    input: fromRecords(lines),
  });
}

function outputOf({ stdout, stderr }: RunResult): string {
  const text = redactor.text(toText(Buffer.concat([stdout, stderr]))).trim();
  return text.length > maxShownOutput ? `[…]\n${text.slice(-maxShownOutput)}` : text;
}

function commitFailed(runner: GitRunner, result: RunResult, output: string): ForgeError {
  const { workTree, trust } = runner;
  const isOurs = result.timedOut || findHeldLock(result.stderr.toString()) !== undefined || trust === "untrusted";
  if (isOurs) return gitFailure("commit", workTree, result);
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `Nothing was committed in ${workTree}: a hook or git rejected the commit. ${output}`,
    {
      details: { workTree, exitCode: result.code, output },
      next: ["Fix what it reports, then commit again."],
    },
  );
}
