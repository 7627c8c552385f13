import type { Call } from "../../../../kernel/calls/call.ts";
import type { RepositoryWork } from "../../../../platform/git/work.ts";
import { taskKey } from "../../board/model/ids.ts";
import type { Advice } from "../../model/advice.ts";
import type { Execution, ExecutionOptions, StartOutcome } from "../../model/execution-model.ts";
import type { Task } from "../../model/task-model.ts";
import type { ClaimKeeper } from "../claim-keeper.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import { requireOwnFolder } from "../ownership/execution-folder.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/execution-recovery.ts";
import { type ExecutionRow, mergeOptions, toExecution } from "../rows.ts";
import { setupFailed } from "../setup/errors.ts";
import { SetupFailure, SetupRunner } from "../setup/setup-runner.ts";
import { reportStage } from "../timeline/report-progress.ts";
import { nameInRecord, type Timeline } from "../timeline/timeline.ts";
import type { Workspaces } from "../workspaces.ts";
import { branchNameTaken } from "./errors.ts";
import { type Placement, planPlacement, requireFreeFolder } from "./placement.ts";
import { adjustOptions, findObstacles, warnOfFixedOptions } from "./start-warnings.ts";

/** Options that can be changed when an execution is resumed; the others have shaped it already. */
const changeableOptions = ["run_tests", "notify_progress", "auto_commit", "rollback_on_failure", "finish"] as const;

const maxDependencies = 1_000;

const noAdvice: Advice = { warnings: [], next: [] };

/** Starts tasks, and resumes them. */
export class TaskStarter {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;
  readonly #claimKeeper: ClaimKeeper;
  readonly #recovery: ExecutionRecovery;
  readonly #locks: KeyedLock;
  readonly #workspaces: Pick<Workspaces, "requireTakeOver">;
  readonly #setup: SetupRunner;

  constructor(
    deps: ExecutionDeps,
    timeline: Timeline,
    claimKeeper: ClaimKeeper,
    recovery: ExecutionRecovery,
    locks: KeyedLock,
    workspaces: Pick<Workspaces, "requireTakeOver">,
  ) {
    this.#deps = deps;
    this.#timeline = timeline;
    this.#claimKeeper = claimKeeper;
    this.#recovery = recovery;
    this.#locks = locks;
    this.#workspaces = workspaces;
    this.#setup = new SetupRunner(deps, timeline);
  }

  async start(call: Call, block: string, taskId: string, given: Partial<ExecutionOptions>): Promise<StartOutcome> {
    const { board } = this.#deps;
    const task = await board.task(block, taskId);
    const resumed = await this.#resume(call, task, given);
    if (resumed) return resumed;
    const first = given.resolve_dependencies ? await this.#findFirstReady(task) : undefined;
    if (!first) return this.#begin(call, task, given);
    const started = (await this.#resume(call, first, given)) ?? (await this.#begin(call, first, given));
    return { ...started, instead: { blockId: first.blockId, taskId: first.id } };
  }

  /** Of a task's dependencies, and theirs: the first that can be executed now. */
  async #findFirstReady(task: Task): Promise<Task | undefined> {
    const { board } = this.#deps;
    const waiting: Task[] = [task];
    const seen = new Set([taskKey(task.blockId, task.id)]);
    for (let next = waiting.shift(); next && seen.size < maxDependencies; next = waiting.shift()) {
      for (const { blockId, taskId, ready } of (await board.dependencies(next)).flatMap(({ open }) => open)) {
        if (ready) return board.task(blockId, taskId);
        if (seen.has(taskKey(blockId, taskId))) continue;
        seen.add(taskKey(blockId, taskId));
        waiting.push(await board.task(blockId, taskId));
      }
    }
    return undefined;
  }

  async #resume(call: Call, task: Task, given: Partial<ExecutionOptions>): Promise<StartOutcome | undefined> {
    const row = await this.#findOpen(task);
    if (!row) return undefined;
    const settled = await this.#recovery.settleAbandoned(row, call.signal);
    if (settled && (await this.#findOpen(task)) === undefined) return undefined;
    await this.#workspaces.requireTakeOver(call, toExecution(row), given);
    let before: string | undefined;
    let isNew = false;
    const execution = await this.#timeline.change(call, row.id, async (now, tx) => {
      if (now.status !== "running") return undefined;
      const taken = await this.#claimKeeper.takeClaim(tx, { blockId: task.blockId, taskId: task.id }, call.principal);
      before = now.holder ?? undefined;
      isNew = taken.isNew;
      const { holder } = taken.claim;
      const changed = Object.fromEntries(changeableOptions.map((name) => [name, given[name]]));
      const options = JSON.stringify(adjustOptions(mergeOptions(toExecution(now).options, changed), toExecution(now)));
      const from = before === undefined || before === holder ? "" : `, taken over from ${before}`;
      return {
        columns: { holder, options },
        events: [{ kind: "resumed", message: `resumed by ${holder}${from}`, details: { holder, before } }],
      };
    });
    if (execution.status !== "running") return undefined;
    this.#claimKeeper.keepClaim(execution, call.principal);
    requireOwnFolder(this.#deps, execution);
    const isTakenOver = isNew && before !== undefined && before !== execution.holder;
    const obstacles = await findObstacles(this.#deps, execution, call.signal);
    return {
      execution,
      resumed: true,
      branchCreated: execution.branch,
      warnings: [
        ...(isTakenOver
          ? [`Taken over from ${before}, which stopped responding. Branch and files are unchanged.`]
          : []),
        ...warnOfFixedOptions(execution, given),
        ...obstacles.warnings,
      ],
      next: obstacles.next,
    };
  }

  #findOpen(task: Task): Promise<ExecutionRow | undefined> {
    const { store } = this.#deps;
    return store.database.read((db) => store.findOpen(db, task.blockId, task.id));
  }

  async #begin(call: Call, task: Task, given: Partial<ExecutionOptions>): Promise<StartOutcome> {
    const { store, board, guard, settings, workFor, projectRoot } = this.#deps;
    const work = workFor(projectRoot);
    await store.database.transaction((tx) => board.requireStartable(tx, task.blockId, task.id, call.principal));
    await guard.requireStart(call, task, given);
    const defaults = await settings.defaults(projectRoot);
    // Without a branch there can be no work tree, which needs one.
    const wanted = mergeOptions(defaults, given.create_branch === false ? { isolation: "none" } : {}, given);
    const open = (await store.database.read((db) => store.listOpen(db))).map(toExecution);
    // A branch is shown wherever the repository is: no words of others in its name.
    const name = (await guard.hasForeignText(task)) ? "" : guard.withoutSecrets(task.name);
    const named = { ...task, id: guard.withoutSecrets(task.id), name };
    const placement = await planPlacement(this.#deps, work, named, wanted, open, call);
    const options = adjustOptions(wanted, placement);
    return this.#locks.run(placement.id, async () => {
      // Others can see it from the start, also if it never gets further.
      await guard.noteWork(call, placement.id, task);
      const execution = await this.#claim(call, task, options, placement);
      this.#claimKeeper.keepClaim(execution, call.principal);
      try {
        reportStage(call, execution, 0, "starting", placement.branch ? `Branch ${placement.branch}` : "Started");
        const prepared = await this.#prepare(call, execution, work);
        // One waits for git and the other for the disk, so both at once.
        const [obstacles, begun] = await Promise.all([
          findObstacles(this.#deps, execution, call.signal),
          this.#timeline.change(call, execution.id, () => ({
            columns: { intent: null, stage: "implementing" },
            events: [{ kind: "started", message: formatStart(execution), details: startDetails(execution) }],
          })),
        ]);
        reportStage(call, begun, 1, "implementing", formatStart(begun));
        return {
          execution: begun,
          resumed: false,
          branchCreated: begun.branch,
          warnings: [...prepared.warnings, ...obstacles.warnings],
          next: [...prepared.next, ...obstacles.next],
        };
      } catch (error) {
        this.#claimKeeper.forget(execution.id);
        const undone = await this.#recovery.settle(execution.id, createRecoverySignal());
        if (!(error instanceof SetupFailure)) throw error;
        const { kept = [], removed = [] } = undone?.cleanup ?? {};
        throw setupFailed(execution, { command: error.command, output: error.output, kept, removed });
      }
    });
  }

  /** Claim, task, row and intent together, before git is touched. */
  async #claim(call: Call, task: Task, options: ExecutionOptions, placement: Placement): Promise<Execution> {
    const { store, board, ledger, now } = this.#deps;
    const { principal } = call;
    return store.database.transaction(async (tx) => {
      await board.requireStartable(tx, task.blockId, task.id, principal);
      const open = (await store.listOpen(tx)).map(toExecution);
      if (options.isolation === "none") requireFreeFolder(placement.root, open);
      if (placement.branch !== undefined && open.some(({ branch }) => branch === placement.branch))
        throw branchNameTaken(placement.branch);
      const { claim } = await this.#claimKeeper.takeClaim(tx, { blockId: task.blockId, taskId: task.id }, principal);
      await board.beginTask(tx, call, { blockId: task.blockId, id: task.id });
      const row = await store.insert(tx, {
        id: placement.id,
        block_id: task.blockId,
        task_id: task.id,
        task_name: task.name,
        status: "running",
        stage: "starting",
        options: JSON.stringify(options),
        branch: placement.branch ?? null,
        base_branch: placement.baseBranch ?? null,
        base_commit: placement.baseCommit,
        root: placement.root,
        started_by: principal.id,
        agent: principal.agent ?? null,
        holder: claim.holder,
        started_at: now(),
        ended_at: null,
        commit_id: null,
        untracked_before: JSON.stringify(placement.untrackedBefore),
        intent: this.#timeline.serializeIntent({ kind: "begin", previous: task.status }),
        revision: 1,
      });
      const execution = toExecution(row);
      nameInRecord(call.record, execution);
      await ledger.commit(tx, call.record);
      return execution;
    });
  }

  /** Creates the branch or the work tree, and sets up a new work tree. */
  async #prepare(call: Call, execution: Execution, work: RepositoryWork): Promise<Advice> {
    const { branch, root, baseCommit, options } = execution;
    const { signal } = call;
    if (branch === undefined) return noAdvice;
    if (options.isolation === "none") {
      await work.branches.start(branch, signal);
      return noAdvice;
    }
    const { work: trusted } = await this.#deps.trustedWork(this.#deps.projectRoot, signal);
    await trusted.workTrees.add(root, branch, baseCommit, signal);
    return this.#setup.run(call, execution);
  }
}

function formatStart({ branch, baseBranch, root, options }: Execution): string {
  if (branch === undefined) return `started on ${baseBranch ?? "HEAD"}`;
  const from = baseBranch === undefined ? "" : ` from ${baseBranch}`;
  return `started on ${branch}${from}${options.isolation === "worktree" ? `, in ${root}` : ""}`;
}

function startDetails({ branch, baseBranch, baseCommit, root, options }: Execution): Record<string, unknown> {
  return { branch, base_branch: baseBranch, base_commit: baseCommit, root, options };
}
