import type { Call } from "../../../../kernel/call.ts";
import type { RepositoryWork } from "../../../../platform/git/work.ts";
import { taskKey } from "../../board/model/ids.ts";
import type { Execution, ExecutionOptions, StartOutcome } from "../../model/execution-model.ts";
import type { Task } from "../../model/task-model.ts";
import type { ClaimKeeper } from "../claim-keeper.ts";
import type { ExecutionDeps } from "../deps.ts";
import { branchNameTaken } from "../errors.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import { requireOwnFolder } from "../ownership/execution-folder.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/recovery.ts";
import { type ExecutionRow, mergeOptions, toExecution } from "../rows.ts";
import { SetupFailure, SetupRunner, setupFailed } from "../setup/run.ts";
import { reportStage } from "../timeline/progress.ts";
import { nameInRecord, type Timeline } from "../timeline/timeline.ts";
import { type Placement, planPlacement, requireFreeFolder } from "./placement.ts";
import { adjustOptions, warnOfFixedOptions, warnOfObstacles } from "./start-warnings.ts";

/** Options that may be said anew when an execution is taken up again; the others have shaped it already. */
const changeableOptions = ["run_tests", "notify_progress", "auto_commit", "rollback_on_failure", "finish"] as const;

const maxDependencies = 1_000;

/** Begins tasks, and takes them up again. */
export class TaskStarter {
  readonly #parts: ExecutionDeps;
  readonly #journal: Timeline;
  readonly #keeping: ClaimKeeper;
  readonly #recovering: ExecutionRecovery;
  readonly #turns: KeyedLock;
  readonly #settingUp: SetupRunner;

  constructor(
    parts: ExecutionDeps,
    journal: Timeline,
    keeping: ClaimKeeper,
    recovering: ExecutionRecovery,
    turns: KeyedLock,
  ) {
    this.#parts = parts;
    this.#journal = journal;
    this.#keeping = keeping;
    this.#recovering = recovering;
    this.#turns = turns;
    this.#settingUp = new SetupRunner(parts, journal);
  }

  async start(call: Call, block: string, taskId: string, given: Partial<ExecutionOptions>): Promise<StartOutcome> {
    const { board } = this.#parts;
    const task = await board.task(block, taskId);
    const resumed = await this.#resume(call, task, given);
    if (resumed) return resumed;
    const first = given.resolve_dependencies ? await this.#firstReady(task) : undefined;
    if (!first) return this.#begin(call, task, given);
    const started = (await this.#resume(call, first, given)) ?? (await this.#begin(call, first, given));
    return { ...started, instead: { blockId: first.blockId, taskId: first.id } };
  }

  /** Of what a task waits for, and what that waits for: the first that could be executed now. */
  async #firstReady(task: Task): Promise<Task | undefined> {
    const { board } = this.#parts;
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
    const row = await this.#open(task);
    if (!row) return undefined;
    const settled = await this.#recovering.settleAbandoned(row, call.signal);
    if (settled && (await this.#open(task)) === undefined) return undefined;
    let before: string | undefined;
    let isNew = false;
    const execution = await this.#journal.change(call, row.id, async (now, tx) => {
      if (now.status !== "running") return undefined;
      const taken = await this.#keeping.takeClaim(tx, { blockId: task.blockId, taskId: task.id }, call.principal);
      before = now.holder ?? undefined;
      isNew = taken.isNew;
      const { holder } = taken.claim;
      const said = Object.fromEntries(changeableOptions.map((name) => [name, given[name]]));
      const options = JSON.stringify(adjustOptions(mergeOptions(toExecution(now).options, said), toExecution(now)));
      const from = before === undefined || before === holder ? "" : `, taken over from ${before}`;
      return {
        columns: { holder, options },
        events: [{ kind: "resumed", message: `resumed by ${holder}${from}`, details: { holder, before } }],
      };
    });
    if (execution.status !== "running") return undefined;
    this.#keeping.keepClaim(execution, call.principal);
    requireOwnFolder(this.#parts, execution);
    const isTakenOver = isNew && before !== undefined && before !== execution.holder;
    return {
      execution,
      resumed: true,
      branchCreated: execution.branch,
      warnings: [
        ...(isTakenOver
          ? [`Taken over from ${before}, who was not heard of any more; branch and files are as they were left.`]
          : []),
        ...warnOfFixedOptions(execution, given),
        ...(await warnOfObstacles(this.#parts, execution, call.signal)),
      ],
    };
  }

  #open(task: Task): Promise<ExecutionRow | undefined> {
    const { store } = this.#parts;
    return store.database.read((db) => store.findOpen(db, task.blockId, task.id));
  }

  async #begin(call: Call, task: Task, given: Partial<ExecutionOptions>): Promise<StartOutcome> {
    const { store, board, settings: ways, workFor, projectRoot } = this.#parts;
    const work = workFor(projectRoot);
    await store.database.transaction((tx) => board.requireStartable(tx, task.blockId, task.id, call.principal));
    const defaults = await ways.defaults(projectRoot);
    // Whoever wants no branch wants no work tree, which would need one.
    const wanted = mergeOptions(defaults, given.create_branch === false ? { isolation: "none" } : {}, given);
    const open = (await store.database.read((db) => store.listOpen(db))).map(toExecution);
    const where = await planPlacement(this.#parts, work, task, wanted, open, call.signal);
    const options = adjustOptions(wanted, where);
    return this.#turns.run(where.id, async () => {
      const execution = await this.#claim(call, task, options, where);
      this.#keeping.keepClaim(execution, call.principal);
      try {
        reportStage(call, execution, 0, "starting", where.branch ? `Branch ${where.branch}` : "Started");
        const prepared = await this.#prepare(call, execution, work);
        // Both wait, the one for git and the other for the disk.
        const [foreseen, begun] = await Promise.all([
          warnOfObstacles(this.#parts, execution, call.signal),
          this.#journal.change(call, execution.id, () => ({
            columns: { serializeIntent: null, stage: "implementing" },
            events: [{ kind: "started", message: formatStart(execution), details: startDetails(execution) }],
          })),
        ]);
        reportStage(call, begun, 1, "implementing", formatStart(begun));
        const warnings = [...prepared, ...foreseen];
        return { execution: begun, resumed: false, branchCreated: begun.branch, warnings };
      } catch (error) {
        this.#keeping.forget(execution.id);
        const undone = await this.#recovering.settle(execution.id, createRecoverySignal());
        throw error instanceof SetupFailure ? setupFailed(error, undone) : error;
      }
    });
  }

  /** Claim, task, row and intent together, before git is touched. */
  async #claim(call: Call, task: Task, options: ExecutionOptions, where: Placement): Promise<Execution> {
    const { store, board, ledger, now } = this.#parts;
    const { principal } = call;
    return store.database.transaction(async (tx) => {
      await board.requireStartable(tx, task.blockId, task.id, principal);
      const open = (await store.listOpen(tx)).map(toExecution);
      if (options.isolation === "none") requireFreeFolder(where.root, open);
      if (where.branch !== undefined && open.some(({ branch }) => branch === where.branch))
        throw branchNameTaken(where.branch);
      const { claim } = await this.#keeping.takeClaim(tx, { blockId: task.blockId, taskId: task.id }, principal);
      await board.beginTask(tx, call, { blockId: task.blockId, id: task.id });
      const row = await store.insert(tx, {
        id: where.id,
        block_id: task.blockId,
        task_id: task.id,
        task_name: task.name,
        status: "running",
        stage: "starting",
        options: JSON.stringify(options),
        branch: where.branch ?? null,
        base_branch: where.baseBranch ?? null,
        base_commit: where.baseCommit,
        root: where.root,
        started_by: principal.id,
        agent: principal.agent ?? null,
        holder: claim.holder,
        started_at: now(),
        ended_at: null,
        commit_id: null,
        untracked_before: JSON.stringify(where.untrackedBefore),
        intent: this.#journal.intent({ kind: "begin", previous: task.status }),
        revision: 1,
      });
      const execution = toExecution(row);
      nameInRecord(call.record, execution);
      await ledger.commit(tx, call.record);
      return execution;
    });
  }

  /** What git has to do for it, and the set-up of a new folder. */
  async #prepare(call: Call, execution: Execution, work: RepositoryWork): Promise<string[]> {
    const { branch, root, baseCommit, options } = execution;
    const { signal } = call;
    if (branch === undefined) return [];
    if (options.isolation === "none") {
      await work.startBranch(branch, signal);
      return [];
    }
    const { work: trusted } = await this.#parts.trustedWork(this.#parts.projectRoot, signal);
    await trusted.addWorkTree(root, branch, baseCommit, signal);
    return this.#settingUp.run(call, execution);
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
