import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { pageOf, parseCursor } from "../../../kernel/page.ts";
import type { Advice } from "../model/advice.ts";
import type {
  CommitOutcome,
  CommitRequest,
  Execution,
  ExecutionDiff,
  ExecutionFilter,
  ExecutionOptions,
  ExecutionRecord,
  FollowOptions,
  FollowOutcome,
  StartOutcome,
  TimelineEvent,
  Workspace,
} from "../model/execution-model.ts";
import { ClaimKeeper } from "./claim-keeper.ts";
import { ChangeCommitter } from "./commit/change-committer.ts";
import { endedExecution } from "./errors.ts";
import type { ExecutionDeps } from "./execution-deps.ts";
import { diffExecution } from "./execution-diff.ts";
import { ExecutionCleanup } from "./finish/execution-cleanup.ts";
import { makeCompletion } from "./finish/make-completion.ts";
import type { MergeQueue } from "./finish/merge-queue.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { requireOwnFolder } from "./ownership/execution-folder.ts";
import { hasForeignChanges } from "./ownership/writable-path.ts";
import { AbandonedWork } from "./recovery/abandoned-work.ts";
import { createRecoverySignal, ExecutionRecovery } from "./recovery/execution-recovery.ts";
import { toExecution } from "./rows.ts";
import { TaskStarter } from "./start/task-starter.ts";
import { readRecord } from "./summary/read-record.ts";
import { ChangeWatcher } from "./timeline/change-watcher.ts";
import { EventFollower } from "./timeline/event-follower.ts";
import { GitSync } from "./timeline/git-sync.ts";
import { nameInRecord, Timeline } from "./timeline/timeline.ts";
import { Workspaces } from "./workspaces.ts";

const defaultPageSize = 50;
const defaultDiffBytes = 400_000;

type ExecutionPage = Advice & { executions: Execution[]; total: number; nextCursor?: string };

/** Executions of tasks, in the project's store and its repository. */
export class Executions {
  readonly #deps: ExecutionDeps;
  readonly #locks = new KeyedLock();
  readonly #timeline: Timeline;
  readonly #claimKeeper: ClaimKeeper;
  readonly #cleanup: ExecutionCleanup;
  readonly #recovery: ExecutionRecovery;
  readonly #starter: TaskStarter;
  readonly #workspaces: Workspaces;
  readonly #gitSync: GitSync;
  readonly #committer: ChangeCommitter;
  readonly #queue: MergeQueue;
  readonly #watcher: ChangeWatcher;
  readonly #follower: EventFollower;
  readonly #abandoned: AbandonedWork;

  constructor(deps: ExecutionDeps) {
    this.#deps = deps;
    this.#timeline = new Timeline(deps);
    this.#claimKeeper = new ClaimKeeper(deps);
    this.#cleanup = new ExecutionCleanup(deps, this.#timeline, this.#claimKeeper);
    this.#recovery = new ExecutionRecovery(deps, this.#timeline, this.#cleanup, this.#locks);
    this.#workspaces = new Workspaces(deps, this.#claimKeeper, this.#recovery);
    this.#starter = new TaskStarter(
      deps,
      this.#timeline,
      this.#claimKeeper,
      this.#recovery,
      this.#locks,
      this.#workspaces,
    );
    this.#gitSync = new GitSync(deps, this.#timeline);
    const [timeline, recovery] = [this.#timeline, this.#recovery];
    const shared = { timeline, recovery, cleanup: this.#cleanup, locks: this.#locks };
    const { completion, queue } = makeCompletion(deps, shared);
    this.#queue = queue;
    this.#abandoned = new AbandonedWork(deps, { recovery, claimKeeper: this.#claimKeeper, queue });
    this.#committer = new ChangeCommitter(deps, { timeline, gitSync: this.#gitSync, completion, recovery });
    this.#watcher = new ChangeWatcher(deps);
    this.#follower = new EventFollower(deps, this.#gitSync, this.#watcher);
  }

  /** Throws where there is nothing to make branches in, before anything is read or written. */
  requireRepository(): void {
    this.#deps.git.open(this.#deps.projectRoot);
  }

  async start(call: Call, block: string, task: string, options: Partial<ExecutionOptions>): Promise<StartOutcome> {
    await this.#abandoned.ready();
    const started = await this.#starter.start(call, block, task, options);
    this.#workspaces.markOpened(call.principal, started.execution.id);
    const { id, blockId, taskId } = started.execution;
    await this.#deps.guard.noteWork(call, id, { blockId, id: taskId });
    await this.#adopt(call, started.execution);
    const { warnings, next } = this.#abandoned.takeReport();
    return { ...started, warnings: [...warnings, ...started.warnings], next: [...next, ...started.next] };
  }

  /** Newest first. Its warnings are about what interrupted processes left behind. */
  async list({ status, block, task, limit = defaultPageSize, cursor }: ExecutionFilter): Promise<ExecutionPage> {
    await this.#abandoned.ready();
    await this.#abandoned.settle();
    const { store } = this.#deps;
    const query = { status, block, task };
    return store.database.read(async (db) => {
      const rows = await store.listPage(db, { ...query, before: parseCursor(cursor), limit: limit + 1 });
      const { items: shown, ...page } = pageOf(rows, limit, ({ seq }) => seq);
      return {
        executions: shown.map(toExecution),
        total: await store.count(db, query),
        ...page,
        warnings: [...this.#abandoned.found.warnings],
        next: [...this.#abandoned.found.next],
      };
    });
  }

  /** Reads git first, so that changes made without Forge's tools are in it. Default: the one the caller works in. */
  async get(call: Call, id: string | undefined): Promise<ExecutionRecord> {
    await this.#abandoned.ready();
    await this.#abandoned.settle();
    const row = await this.#workspaces.findMeant(call, id);
    const execution = toExecution(row);
    nameInRecord(call.record, execution);
    this.#claimKeeper.markActive(execution, call);
    await this.#syncIfPossible(call, execution);
    await this.#deps.guard.noteWorkRead(call, [execution.id]);
    return readRecord(this.#deps.store, row);
  }

  /** Those of the given executions that have ended. Others are open, or were made elsewhere. */
  async listEnded(ids: readonly string[]): Promise<ExecutionRecord[]> {
    await this.#abandoned.settle();
    const { store } = this.#deps;
    const rows = await store.database.read((db) => Promise.all(ids.map((id) => store.find(db, id))));
    const ended = rows.flatMap((row) => (row && row.status !== "running" ? [row] : []));
    return Promise.all(ended.map((row) => readRecord(store, row)));
  }

  async commit(call: Call, id: string | undefined, request: CommitRequest): Promise<CommitOutcome> {
    await this.#abandoned.ready();
    const { id: own } = await this.#workspaces.requireOwn(call, id);
    return this.#locks
      .run(own, async () => {
        const execution = await this.#requireRunning(own);
        requireOwnFolder(this.#deps, execution);
        await this.#deps.guard.noteWork(call, own);
        return this.#committer.commit(call, execution, request);
      })
      .finally(() => this.#queue.start());
  }

  async cancel(
    call: Call,
    id: string | undefined,
    reason: string | undefined,
  ): Promise<{ execution: Execution; kept: string[]; removed: string[] }> {
    await this.#abandoned.ready();
    const { id: own } = await this.#workspaces.requireOwn(call, id);
    return this.#locks.run(own, async () => {
      const execution = await this.#requireRunning(own);
      // The answer has the name of its task.
      await this.#deps.guard.noteWorkRead(call, [own]);
      await this.#syncIfPossible(call, execution);
      await this.#deps.guard.noteWork(call, own);
      const ending = {
        status: "cancelled",
        merged: false,
        keepBranch: false,
        reason: reason === undefined ? "Cancelled." : `Cancelled: ${reason}`,
      } as const;
      try {
        return await this.#cleanup.end(call, execution, ending, call.signal);
      } catch (error) {
        await this.#recovery.settle(own, createRecoverySignal());
        throw error;
      }
    });
  }

  /** Where a call works: the named execution, the connection's latest open one, or the caller's only one. Renews its claim. */
  async openWorkspace(call: Call, id: string | undefined): Promise<Workspace> {
    await this.#abandoned.ready();
    return this.#workspaces.open(call, id);
  }

  /** The same, or the project's folder if there is no execution. For reading. */
  async openWorkspaceOrProject(call: Call, id: string | undefined): Promise<Workspace> {
    await this.#abandoned.ready();
    return this.#workspaces.openOrProject(call, id);
  }

  /** The open executions that the caller has started or taken over. */
  listOpened({ principal }: Pick<Call, "principal">): Promise<Execution[]> {
    return this.#workspaces.listOpened(principal);
  }

  /** Throws if the caller may not write this file. */
  requireWritable(workspace: Workspace, path: string, signal: AbortSignal): Promise<Execution> {
    return this.#workspaces.requireWritable(workspace, path, signal);
  }

  /** Throws if the caller may not write this unasked, because it has read text by others. */
  requireAllowed(call: Call, execution: Execution, file: { path: string; sha256: string }): Promise<void> {
    return this.#deps.guard.requireWrite(call, execution, file);
  }

  /** Whether a file has uncommitted changes that no tool of Forge made: in the project's folder they may be the user's. */
  hasForeignChanges(
    execution: Execution,
    file: { path: string; sha256: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    return hasForeignChanges(this.#deps, execution, file, signal);
  }

  /** In the same transaction as the call's ledger entry. */
  async appendEvents(call: Call, execution: Execution, ...events: TimelineEvent[]): Promise<void> {
    await this.#deps.guard.noteWork(call, execution.id);
    return this.#timeline.append(call, execution, events);
  }

  async diff(
    call: Call,
    id: string | undefined,
    { maxBytes = defaultDiffBytes } = {},
  ): Promise<ExecutionDiff & { execution: Execution }> {
    await this.#abandoned.ready();
    const execution = toExecution(await this.#workspaces.findMeant(call, id));
    nameInRecord(call.record, execution);
    return { execution, ...(await diffExecution(this.#deps, execution, maxBytes, call)) };
  }

  /** Events after a given one, or from now on, until the execution ends or the time is over. */
  async follow(call: Call, id: string | undefined, options: FollowOptions): Promise<FollowOutcome> {
    await this.#abandoned.ready();
    await this.#abandoned.settle();
    const row = await this.#workspaces.findMeant(call, id);
    nameInRecord(call.record, toExecution(row));
    await this.#deps.guard.noteWorkRead(call, [row.id]);
    return this.#follower.follow(call, row, options);
  }

  /** Calls back when something changes in this execution, or in any. Returns how to stop. */
  watch(id: string | undefined, changed: () => void): () => void {
    return this.#watcher.onChanges(id, changed);
  }

  /** Finishes what a process that is gone left half done, so that the next read is right. */
  settleAbandoned(): Promise<void> {
    return this.#abandoned.settle();
  }

  /** Releases an open execution, so that another can continue it. */
  release(id: string): Promise<void> {
    return this.#claimKeeper.release(id);
  }

  recover(signal: AbortSignal): Promise<Advice> {
    return this.#recovery.recover(signal);
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
    await this.#locks.waitForAll();
    await this.#claimKeeper.stop();
  }

  /** Who starts a task on a terminal has seen it, and takes it over as it is. */
  async #adopt({ principal }: Call, { blockId, taskId }: Execution): Promise<void> {
    if (!principal.atKeyboard) return;
    await this.#deps.guard.adopt(principal, await this.#deps.board.task(blockId, taskId));
  }

  /** A folder that is gone or unreadable does not prevent the rest from being shown. */
  async #syncIfPossible(call: Call, execution: Execution): Promise<void> {
    try {
      await this.#gitSync.recordGitChanges(call, execution, call.signal);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    }
  }

  async #requireRunning(id: string): Promise<Execution> {
    const execution = toExecution(await this.#workspaces.requireById(id));
    if (execution.status !== "running") throw endedExecution(execution);
    return execution;
  }
}
