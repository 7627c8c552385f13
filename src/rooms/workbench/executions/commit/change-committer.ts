import { posix } from "node:path";
import type { Call } from "../../../../kernel/calls/call.ts";
import { findLookAlikes } from "../../../../kernel/text/look-alike.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import type { RepositoryWork } from "../../../../platform/git/git.ts";
import type { SeenFile } from "../../../../platform/git/index/fingerprint.ts";
import type { CommitInput, CommitResult, ReviewedChange, TreeChange } from "../../../../platform/git/work-model.ts";
import type { ActionPerformed, CommitOutcome, CommitRequest, Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../execution-deps.ts";
import { type CompletionResult, keepOpen, type TaskCompletion } from "../finish/task-completion.ts";
import { countFiles, joinNames } from "../join-names.ts";
import { classifyChanges, listPaths, type OwnedChanges } from "../ownership/change-ownership.ts";
import { switchedBranch } from "../ownership/errors.ts";
import { createBaseNote, findOwnBase } from "../ownership/execution-base.ts";
import { describePreexistingChanges } from "../ownership/preexisting-files.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/execution-recovery.ts";
import type { GitSync } from "../timeline/git-sync.ts";
import { listActions } from "../timeline/list-actions.ts";
import { reportStage } from "../timeline/report-progress.ts";
import { toTestAction } from "../timeline/test-events.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { selectPaths } from "./commit-selection.ts";
import { foreignChanges, hooksChanged, tooManyChanges } from "./errors.ts";
import { findHookAddedFiles } from "./hook-added-files.ts";
import { describeLeftOut, describeLookAlikes } from "./messages.ts";
import { createTrailers } from "./trailers.ts";

const maxChanges = 20_000;
const maxRecordedPaths = 1_000;

/** `tip`: the last commit of the execution, made now or before. `aside`: changes that are not part of it. */
type CommittedFiles = Pick<CommitOutcome, "warnings" | "next"> & {
  made: CommitResult | undefined;
  tip: string | undefined;
  aside: string[];
};

type CommitterServices = {
  timeline: Timeline;
  gitSync: GitSync;
  completion: TaskCompletion;
  recovery: ExecutionRecovery;
};

/** Commits what an execution changed, and completes its task. */
export class ChangeCommitter {
  readonly #deps: ExecutionDeps;
  readonly #services: CommitterServices;

  constructor(deps: ExecutionDeps, services: CommitterServices) {
    this.#deps = deps;
    this.#services = services;
  }

  /** One at a time for an execution. However it is interrupted, git and the store agree afterwards. */
  async commit(call: Call, execution: Execution, request: CommitRequest): Promise<CommitOutcome> {
    try {
      return await this.#commit(call, execution, request);
    } catch (error) {
      await this.#services.recovery.settle(execution.id, createRecoverySignal());
      throw error;
    }
  }

  async #commit(call: Call, before: Execution, request: CommitRequest): Promise<CommitOutcome> {
    const { gitSync, completion } = this.#services;
    const { signal } = call;
    reportStage(call, before, 0, "committing", "Checking what has changed");
    await gitSync.recordGitChanges(call, before, signal);
    const { made, tip, aside, warnings, next } = await this.#commitFiles(call, before, request);
    // Files that were named belong to the execution now, which is not recorded yet.
    if (made && request.files !== undefined) await gitSync.recordGitChanges(call, before, signal);
    const execution: Execution = { ...before, ...(tip !== undefined && { commit: tip }) };
    const hooks = made?.hookOutput.trim();
    const files = made?.files ?? [];
    if (request.complete && tip !== undefined) await this.#reviewCommits(call, execution, tip, request.message);
    const end = request.complete
      ? await completion.complete(call, execution, { committed: files, named: normalizeFiles(request) })
      : continueWork(execution);
    const committed = made ? `Committed ${countFiles(files.length)} as ${made.commit.slice(0, 12)}. ` : "";
    return {
      commit: end.execution.commit,
      files,
      branchMerged: end.branchMerged,
      branchDeleted: end.branchDeleted,
      ...(end.branchKept !== undefined && { branchKept: end.branchKept }),
      ...(end.merge !== undefined && { merge: end.merge }),
      taskStatus: end.taskStatus,
      execution: end.execution,
      actions: await this.#listActions(call, end, made, aside),
      summary: `${committed}${end.summary}`,
      ...(hooks && { hooks }),
      ...(end.tests && { tests: end.tests }),
      warnings: [...warnings, ...end.warnings],
      next: [...next, ...end.next],
    };
  }

  async #commitFiles(call: Call, execution: Execution, request: CommitRequest): Promise<CommittedFiles> {
    const { timeline } = this.#services;
    const { signal } = call;
    const { work, silencedHooks, changedHooks } = await this.#deps.trustedWork(execution.root, signal);
    if (changedHooks.length > 0) throw hooksChanged(execution, changedHooks);
    const head = await work.head(signal);
    if (head.branch !== (execution.branch ?? execution.baseBranch) || head.commit === undefined)
      throw switchedBranch(execution, head.branch);
    const { changes, total } = await work.changes.list({ since: head.commit, limit: maxChanges }, signal);
    if (total > changes.length) throw tooManyChanges(total, maxChanges);
    const files = await this.#findKnownFiles(execution, normalizeFiles(request));
    const ownCommits = await this.#findOwnCommits(execution, head.commit, signal);
    const known = { files, hasCommits: ownCommits !== "none" };
    const owned = await classifyChanges(this.#deps, execution, changes, call);
    const { paths, aside, staying, warnings, next } = selectPaths(execution, request, owned, known);
    warnings.push(...describePreexistingChanges(execution, changes));
    if (paths.length === 0) {
      warnings.push(...describeLeftOut(staying));
      if (ownCommits === "found" && head.commit !== execution.commit)
        await this.#recordFoundCommit(call, execution, head.commit);
      return { made: undefined, tip: head.commit, aside, warnings, next };
    }
    const checked = isInPlace(execution)
      ? await this.#createCheck(work, execution, request, { paths, owned })
      : undefined;
    const outside = isInPlace(execution) ? aside.slice(0, maxRecordedPaths) : [];
    const step = { kind: "commit", head: head.commit, ...(outside.length > 0 && { aside: outside }) } as const;
    await timeline.recordIntent(call, execution.id, step, "committing");
    reportStage(call, execution, 0.2, "committing", `Committing ${joinNames(paths, 5)}`, paths);
    const { message } = request;
    const requireChanges = async (changes: ReviewedChange[]) => {
      await this.#deps.guard.requireCommit(call, execution, { message, changes });
      const added = changes.filter(({ isNew }) => isNew).map(({ path }) => path);
      const known =
        added.length === 0 || head.commit === undefined ? [] : await work.commits.names(head.commit, signal);
      warnings.push(...describeLookAlikes(findLookAlikes(added, known)));
    };
    const review = { findSecrets: this.#deps.guard.findSecrets, require: requireChanges };
    const order = {
      message,
      trailers: createTrailers(this.#deps.guard, execution),
      paths,
      review,
      ...(checked && { checked }),
    };
    const made = await work.commits.create(order, signal);
    const { commit, hookOutput } = made;
    const taken = new Set(made.files);
    const strays = outside.filter((path) => taken.has(path));
    warnings.push(...describeLeftOut(staying.filter((path) => !taken.has(path))));
    call.record.evidence.push(`commit:${commit}`);
    const details = {
      commit,
      ...(await createBaseNote(this.#deps, execution, head.commit, signal)),
      files: made.files.slice(0, maxRecordedPaths),
      ...(strays.length > 0 && { strays }),
      ...(hookOutput !== "" && { hooks: hookOutput.slice(-4_000) }),
    };
    await timeline.change(call, execution.id, () => ({
      columns: { intent: null, stage: "implementing", commit_id: commit },
      events: [{ kind: "commit", message: `committed ${commit.slice(0, 12)}: ${firstLine(message)}`, details }],
    }));
    if (silencedHooks.length > 0) {
      warnings.push(`The repository's hooks (${joinNames(silencedHooks)}) did not run: they are not trusted.`);
      next.push({ command: "trust", why: "to trust them" });
    }
    for (const path of paths) taken.delete(path);
    if (taken.size > 0)
      warnings.push(`A hook added more files to the commit than requested: ${joinNames([...taken])}. Check them.`);
    return { made, tip: commit, aside, warnings, next };
  }

  /** Completing merges every commit of the branch, also those that other tools made. What was allowed before is not asked again. */
  async #reviewCommits(call: Call, execution: Execution, tip: string, message: string): Promise<void> {
    const { commits } = this.#deps.workFor(this.#deps.projectRoot);
    const base = await findOwnBase(this.#deps, execution, tip, call.signal);
    if (base === tip) return;
    const { guard } = this.#deps;
    const range = { from: base, to: tip, find: guard.findSecrets };
    const { changes, messages } = await commits.review(range, call.signal);
    await guard.requireCommit(call, execution, { message: [message, ...messages].join("\n"), changes });
  }

  /** The files as they were when they were selected: if someone saves one from now on, nothing is committed. */
  async #createCheck(
    work: RepositoryWork,
    execution: Execution,
    request: CommitRequest,
    { paths, owned }: { paths: readonly string[]; owned: OwnedChanges },
  ): Promise<NonNullable<CommitInput["checked"]>> {
    const named = new Set(normalizeFiles(request));
    const seen = new Map<string, SeenFile>();
    for (const path of paths) {
      const found =
        owned.seen.get(path) ?? (named.has(path) ? await work.files.see(path, execution.baseCommit) : undefined);
      if (found) seen.set(path, found);
    }
    const refusal = (changed: string[]) => {
      const isChanged = ({ path }: TreeChange) => changed.includes(path);
      const mixed = [...owned.own, ...owned.mixed, ...owned.others].filter(isChanged);
      const own = owned.own.filter((change) => !isChanged(change));
      return foreignChanges({ own: listPaths(own), others: [], mixed: listPaths(mixed) }, false);
    };
    return { seen, refusal };
  }

  /**
   * Whether anything was done on its branch: `found` if it has commits that its base does not have, `noted` if the commits that
   * Forge recorded are in the base already. Commits that only came from elsewhere, by a merge or a reset, do not count.
   */
  async #findOwnCommits(execution: Execution, head: string, signal: AbortSignal): Promise<"found" | "noted" | "none"> {
    const { branch, baseBranch, baseCommit, commit } = execution;
    const work = this.#deps.workFor(this.#deps.projectRoot);
    const base =
      branch === undefined || baseBranch === undefined ? undefined : await work.branches.tip(baseBranch, signal);
    const others = base === undefined ? [baseCommit] : [baseCommit, base];
    if ((await work.commits.beyond(head, others, 1, signal)).length > 0) return "found";
    const place = branch ?? baseBranch;
    const isNoted =
      commit !== undefined && place !== undefined && (await work.branches.contains(place, commit, signal));
    return isNoted ? "noted" : "none";
  }

  /** The assistant has committed with git itself. */
  async #recordFoundCommit(call: Call, execution: Execution, commit: string): Promise<void> {
    const { id } = execution;
    const base = await createBaseNote(this.#deps, execution, commit, call.signal);
    call.record.evidence.push(`commit:${commit}`);
    const message = `found the commit ${commit.slice(0, 12)}`;
    await this.#services.timeline.change(call, id, () => ({
      columns: { commit_id: commit },
      events: [{ kind: "commit", message, details: { commit, ...base, files: [], via: "git" } }],
    }));
  }

  /** Which of the named paths are files, or were: naming an unchanged file is not a mistake. */
  async #findKnownFiles(execution: Execution, files: readonly string[]): Promise<Set<string>> {
    const { store } = this.#deps;
    if (files.length === 0) return new Set();
    const root = SafeRoot.at(execution.root);
    const recorded = await store.database.read(async (db) => {
      const row = await store.find(db, execution.id);
      return row ? store.listFiles(db, row.seq) : [];
    });
    const added = await findHookAddedFiles(this.#deps, execution);
    const found = new Set([...recorded.map(({ path }) => path), ...added]);
    for (const file of files) {
      const entry = await root.stat(file);
      if (entry?.kind === "file") found.add(posix.normalize(file));
    }
    return found;
  }

  async #listActions(
    call: Call,
    end: CompletionResult,
    made: CommitResult | undefined,
    aside: readonly string[],
  ): Promise<ActionPerformed[]> {
    const { store } = this.#deps;
    const others = new Set(aside);
    if (others.size > 0) for (const path of await this.#listCommitted(call, end.execution)) others.delete(path);
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

  /** Paths that its commits changed: they belong to the execution, whatever happened to the files since. */
  async #listCommitted({ signal }: Call, execution: Execution): Promise<string[]> {
    const { commit } = execution;
    const work = this.#deps.workFor(this.#deps.projectRoot);
    if (commit === undefined) return [];
    return work.commits.changedNames(await findOwnBase(this.#deps, execution, commit, signal), commit, signal);
  }
}

function continueWork(execution: Execution): CompletionResult {
  const branch = execution.branch ?? execution.baseBranch;
  return { ...keepOpen(execution), summary: `Continue working on branch ${branch}.`, warnings: [], next: [] };
}

function normalizeFiles({ files = [] }: CommitRequest): string[] {
  return files.map((file) => posix.normalize(file));
}

function firstLine(message: string): string {
  return message.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
