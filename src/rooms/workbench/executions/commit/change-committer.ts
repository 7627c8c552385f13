import { posix } from "node:path";
import type { Call } from "../../../../kernel/call.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import type { RepositoryWork } from "../../../../platform/git/git.ts";
import type { Seen } from "../../../../platform/git/index/prints.ts";
import type { CommitMade, CommitOrder, TreeChange } from "../../../../platform/git/work-model.ts";
import type { ActionPerformed, CommitOutcome, CommitRequest, Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../deps.ts";
import { joinNames, switchedBranch, tooManyChanges } from "../errors.ts";
import { type CompletionResult, stillOpen, type TaskCompletion } from "../finish/complete-task.ts";
import { classifyChanges, type OwnedChanges } from "../ownership/change-ownership.ts";
import { createBaseNote, findOwnBase } from "../ownership/execution-base.ts";
import { describePreexistingChanges } from "../ownership/preexisting-files.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/recovery.ts";
import { listActions } from "../timeline/actions.ts";
import type { GitSync } from "../timeline/git-sync.ts";
import { reportStage } from "../timeline/progress.ts";
import { toTestAction } from "../timeline/test-events.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { foreignChanges, selectPaths } from "./commit-selection.ts";
import { findHookAddedFiles } from "./hook-added-files.ts";
import { createTrailers } from "./trailers.ts";

const maxChanges = 20_000;
const maxRecordedPaths = 1_000;

/** `tip`: the last commit of the execution, made now or before. `aside`: changes that are not its own. */
type CommitResult = { made: CommitMade | undefined; tip: string | undefined; aside: string[]; warnings: string[] };
type CommitterDeps = {
  journal: Timeline;
  observing: GitSync;
  completing: TaskCompletion;
  recovering: ExecutionRecovery;
};

/** Commits what an execution changed, and completes its task. */
export class ChangeCommitter {
  readonly #parts: ExecutionDeps;
  readonly #sides: CommitterDeps;

  constructor(parts: ExecutionDeps, sides: CommitterDeps) {
    this.#parts = parts;
    this.#sides = sides;
  }

  /** One at a time for an execution. Whatever it is cut off by, git and store agree afterwards. */
  async commit(call: Call, execution: Execution, request: CommitRequest): Promise<CommitOutcome> {
    try {
      return await this.#commit(call, execution, request);
    } catch (error) {
      await this.#sides.recovering.settle(execution.id, createRecoverySignal());
      throw error;
    }
  }

  async #commit(call: Call, before: Execution, request: CommitRequest): Promise<CommitOutcome> {
    const { signal } = call;
    reportStage(call, before, 0, "committing", "Looking at what is changed");
    await this.#sides.observing.recordGitChanges(call, before, signal);
    const { made, tip, aside, warnings } = await this.#commitFiles(call, before, request);
    // What was named, and so is the execution's now, is not known yet.
    if (made && request.files !== undefined) await this.#sides.observing.recordGitChanges(call, before, signal);
    const execution: Execution = { ...before, ...(tip !== undefined && { commit: tip }) };
    const hooks = made?.hookOutput.trim();
    const files = made?.files ?? [];
    const end: CompletionResult = request.complete
      ? await this.#sides.completing.complete(call, execution, {
          committed: files,
          named: normalizeFiles(request),
        })
      : {
          ...stillOpen(execution),
          said: `The work goes on on ${execution.branch ?? execution.baseBranch}.`,
          warnings: [],
        };
    const actions = await this.#actions(call, end, made, aside);
    const committed = made
      ? `Committed ${files.length} ${files.length === 1 ? "file" : "files"} as ${made.commit.slice(0, 12)}. `
      : "";
    return {
      commit: end.execution.commit,
      files,
      branchMerged: end.branchMerged,
      branchDeleted: end.branchDeleted,
      ...(end.branchKept !== undefined && { branchKept: end.branchKept }),
      taskStatus: end.taskStatus,
      execution: end.execution,
      actions,
      summary: `${committed}${end.said}`,
      ...(hooks && { hooks }),
      ...(end.tests && { tests: end.tests }),
      warnings: [...warnings, ...end.warnings],
    };
  }

  async #commitFiles(call: Call, execution: Execution, request: CommitRequest): Promise<CommitResult> {
    const { signal } = call;
    const { work, silencedHooks } = await this.#parts.trustedWork(execution.root, signal);
    const head = await work.head(signal);
    if (head.branch !== (execution.branch ?? execution.baseBranch) || head.commit === undefined)
      throw switchedBranch(execution, head.branch);
    const { changes, total } = await work.changes(head.commit, maxChanges, signal);
    if (total > changes.length) throw tooManyChanges(total, maxChanges);
    const files = await this.#known(execution, normalizeFiles(request));
    const own = await this.#ownCommits(execution, head.commit, signal);
    const known = { files, hasCommits: own !== "none" };
    const whose = await classifyChanges(this.#parts, execution, changes, call);
    const { paths, aside, staying, warnings } = selectPaths(execution, request, whose, known);
    warnings.push(...describePreexistingChanges(execution, changes));
    if (paths.length === 0) {
      warnings.push(...describeLeftOut(staying));
      if (own === "found" && head.commit !== execution.commit) await this.#noteOwn(call, execution, head.commit);
      return { made: undefined, tip: head.commit, aside, warnings };
    }
    const checked = isInPlace(execution) ? await this.#checked(work, execution, request, { paths, whose }) : undefined;
    const { journal } = this.#sides;
    const outside = isInPlace(execution) ? aside.slice(0, maxRecordedPaths) : [];
    const deed = { kind: "commit", head: head.commit, ...(outside.length > 0 && { aside: outside }) } as const;
    await journal.recordIntent(call, execution.id, deed, "committing");
    reportStage(call, execution, 0.2, "committing", `Committing ${joinNames(paths, 5)}`, paths);
    const { message } = request;
    const order = { message, trailers: createTrailers(execution), paths, ...(checked && { checked }) };
    const made = await work.commit(order, signal);
    const { commit, hookOutput } = made;
    const taken = new Set(made.files);
    const strays = outside.filter((path) => taken.has(path));
    warnings.push(...describeLeftOut(staying.filter((path) => !taken.has(path))));
    call.record.evidence.push(`commit:${commit}`);
    const details = {
      commit,
      ...(await createBaseNote(this.#parts, execution, head.commit, signal)),
      files: made.files.slice(0, maxRecordedPaths),
      ...(strays.length > 0 && { strays }),
      ...(hookOutput !== "" && { hooks: hookOutput.slice(-4_000) }),
    };
    await journal.change(call, execution.id, () => ({
      columns: { serializeIntent: null, stage: "implementing", commit_id: commit },
      events: [{ kind: "commit", message: `committed ${commit.slice(0, 12)}: ${firstLine(message)}`, details }],
    }));
    if (silencedHooks.length > 0)
      warnings.push(
        `The repository's hooks (${joinNames(silencedHooks)}) were not run: no person has trusted them. \`forge trust\` in a terminal does.`,
      );
    for (const path of paths) taken.delete(path);
    if (taken.size > 0)
      warnings.push(`A hook put more into the commit than was asked for: ${joinNames([...taken])}. Look at it.`);
    return { made, tip: commit, aside, warnings };
  }

  /** The files as they were when it was decided to commit them: where somebody saves one from now on, nothing is committed. */
  async #checked(
    work: RepositoryWork,
    execution: Execution,
    request: CommitRequest,
    { paths, whose }: { paths: readonly string[]; whose: OwnedChanges },
  ): Promise<NonNullable<CommitOrder["checked"]>> {
    const named = new Set(normalizeFiles(request));
    const seen = new Map<string, Seen>();
    for (const path of paths) {
      const found = whose.seen.get(path) ?? (named.has(path) ? await work.seen(path, execution.baseCommit) : undefined);
      if (found) seen.set(path, found);
    }
    const refusal = (changed: string[]) => {
      const isChanged = ({ path }: TreeChange) => changed.includes(path);
      const mixed = [...whose.own, ...whose.mixed, ...whose.others].filter(isChanged);
      return foreignChanges({ own: whose.own.filter((change) => !isChanged(change)), others: [], mixed }, false);
    };
    return { seen, refusal };
  }

  /**
   * Whether anything was done on its branch: `found` where it has commits that its base does not have, `noted` where those that
   * Forge knows of are in the base already. What only came from elsewhere, by a merge of the base or a reset, is no work.
   */
  async #ownCommits(execution: Execution, head: string, signal: AbortSignal): Promise<"found" | "noted" | "none"> {
    const { branch, baseBranch, baseCommit, commit } = execution;
    const work = this.#parts.workFor(this.#parts.projectRoot);
    const base =
      branch === undefined || baseBranch === undefined ? undefined : await work.branchTip(baseBranch, signal);
    const others = base === undefined ? [baseCommit] : [baseCommit, base];
    if ((await work.commitsBeyond(head, others, 1, signal)).length > 0) return "found";
    const place = branch ?? baseBranch;
    const isNoted = commit !== undefined && place !== undefined && (await work.contains(place, commit, signal));
    return isNoted ? "noted" : "none";
  }

  /** The assistant has committed by itself, with git. */
  async #noteOwn(call: Call, execution: Execution, commit: string): Promise<void> {
    const { id } = execution;
    const base = await createBaseNote(this.#parts, execution, commit, call.signal);
    call.record.evidence.push(`commit:${commit}`);
    const message = `found the commit ${commit.slice(0, 12)}`;
    await this.#sides.journal.change(call, id, () => ({
      columns: { commit_id: commit },
      events: [{ kind: "commit", message, details: { commit, ...base, files: [], via: "git" } }],
    }));
  }

  /** Which of the named paths are files, or were: those that need no change are no mistake. */
  async #known(execution: Execution, files: readonly string[]): Promise<Set<string>> {
    const { store } = this.#parts;
    if (files.length === 0) return new Set();
    const root = SafeRoot.at(execution.root);
    const known = await store.database.read(async (db) => {
      const row = await store.find(db, execution.id);
      return row ? store.listFiles(db, row.seq) : [];
    });
    const found = new Set([...known.map(({ path }) => path), ...(await findHookAddedFiles(this.#parts, execution))]);
    for (const file of files) {
      const entry = await root.stat(file);
      if (entry?.kind === "file") found.add(posix.normalize(file));
    }
    return found;
  }

  async #actions(
    call: Call,
    end: CompletionResult,
    made: CommitMade | undefined,
    aside: readonly string[],
  ): Promise<ActionPerformed[]> {
    const { store } = this.#parts;
    const others = new Set(aside);
    if (others.size > 0) for (const path of await this.#committedIn(call, end.execution)) others.delete(path);
    const found = await store.database.read(async (db) => {
      const row = await store.find(db, end.execution.id);
      return row ? listActions(store, db, row) : [];
    });
    return [
      ...found.filter((action) => !("path" in action && others.has(action.path))),
      ...(end.tests && !found.some(({ type }) => type === "tests_run") ? [toTestAction(end.tests)] : []),
      ...(made ? [{ type: "committed" as const, commit: made.commit, files: made.files }] : []),
      ...(end.mergedInto === undefined ? [] : [{ type: "merged" as const, into: end.mergedInto }]),
    ];
  }

  /** What its commits changed: the execution's, whatever became of the files since. */
  async #committedIn({ signal }: Call, execution: Execution): Promise<string[]> {
    const { commit } = execution;
    const work = this.#parts.workFor(this.#parts.projectRoot);
    if (commit === undefined) return [];
    return work.changedBetween(await findOwnBase(this.#parts, execution, commit, signal), commit, signal);
  }
}

function normalizeFiles({ files = [] }: CommitRequest): string[] {
  return files.map((file) => posix.normalize(file));
}

function describeLeftOut(paths: readonly string[]): string[] {
  return paths.length > 0 ? [`Not committed, and as before in the folder: ${joinNames(paths)}.`] : [];
}

function firstLine(message: string): string {
  return message.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
