import type { Call } from "../../../kernel/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type {
  CommitOutcome,
  CommitRequest,
  Execution,
  ExecutionFilter,
  ExecutionOptions,
  ExecutionRecord,
  FollowOptions,
  FollowOutcome,
  Issue,
  StartOutcome,
  TimelineEvent,
  Workspace,
} from "../model/execution-model.ts";
import { ClaimKeeper } from "./claim-keeper.ts";
import { ChangeCommitter } from "./commit/change-committer.ts";
import type { ExecutionDeps } from "./deps.ts";
import { endedExecution, invalidCursor } from "./errors.ts";
import { diffExecution } from "./execution-diff.ts";
import { ExecutionCleanup } from "./finish/cleanup.ts";
import { TaskCompletion } from "./finish/complete-task.ts";
import { BranchMerger } from "./finish/merge-branch.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { requireOwnFolder } from "./ownership/execution-folder.ts";
import { hasOthersWork } from "./ownership/writable-path.ts";
import { createRecoverySignal, ExecutionRecovery } from "./recovery/recovery.ts";
import { toExecution } from "./rows.ts";
import { TaskStarter } from "./start/task-starter.ts";
import { ChangeWatcher } from "./timeline/change-watcher.ts";
import { EventFollower } from "./timeline/event-follower.ts";
import { GitSync } from "./timeline/git-sync.ts";
import { Noting } from "./timeline/noting.ts";
import { nameInRecord, Timeline } from "./timeline/timeline.ts";
import { Workspaces } from "./workspaces.ts";

const defaultPageSize = 50;
const maxShownEvents = 200;
const maxShownRuns = 100;
const defaultDiffBytes = 400_000;

/** Tasks being worked on, in the project's store and its repository. */
export class Executions {
  readonly #parts: ExecutionDeps;
  readonly #turns = new KeyedLock();
  readonly #journal: Timeline;
  readonly #keeping: ClaimKeeper;
  readonly #finishing: ExecutionCleanup;
  readonly #recovering: ExecutionRecovery;
  readonly #starting: TaskStarter;
  readonly #workplaces: Workspaces;
  readonly #observing: GitSync;
  readonly #noting: Noting;
  readonly #committing: ChangeCommitter;
  readonly #watching: ChangeWatcher;
  readonly #following: EventFollower;
  #recovered: Promise<void> | undefined;
  /** What recovery found; whoever begins a task is told once, whoever lists them always. */
  readonly #found: string[] = [];
  #isToBeSaid = true;

  constructor(parts: ExecutionDeps) {
    this.#parts = parts;
    this.#journal = new Timeline(parts);
    this.#keeping = new ClaimKeeper(parts);
    this.#finishing = new ExecutionCleanup(parts, this.#journal, this.#keeping);
    this.#recovering = new ExecutionRecovery(parts, this.#journal, this.#finishing, this.#turns);
    this.#starting = new TaskStarter(parts, this.#journal, this.#keeping, this.#recovering, this.#turns);
    this.#workplaces = new Workspaces(parts, this.#keeping, this.#recovering);
    this.#observing = new GitSync(parts, this.#journal);
    this.#noting = new Noting(this.#journal);
    const completing = new TaskCompletion(parts, {
      noting: this.#noting,
      merging: new BranchMerger(parts, this.#journal, this.#finishing),
      finishing: this.#finishing,
      recovering: this.#recovering,
    });
    this.#committing = new ChangeCommitter(parts, {
      journal: this.#journal,
      observing: this.#observing,
      completing,
      recovering: this.#recovering,
    });
    this.#watching = new ChangeWatcher(parts);
    this.#following = new EventFollower(parts, this.#observing, this.#watching);
  }

  async start(call: Call, block: string, task: string, options: Partial<ExecutionOptions>): Promise<StartOutcome> {
    await this.#ready();
    const started = await this.#starting.start(call, block, task, options);
    this.#workplaces.markOpened(call.principal, started.execution.id);
    return { ...started, warnings: [...this.#sayFound(), ...started.warnings] };
  }

  async list({ status, block, task, limit = defaultPageSize, cursor }: ExecutionFilter) {
    await this.#ready();
    const { store } = this.#parts;
    const query = { status, block, task };
    return store.database.read(async (db) => {
      const rows = await store.listPage(db, { ...query, before: parseCursor(cursor), limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1)?.seq : undefined;
      return {
        executions: shown.map(toExecution),
        total: await store.count(db, query),
        ...(last !== undefined && { nextCursor: String(last) }),
        warnings: [...this.#found],
      };
    });
  }

  async get(call: Call, id: string | undefined): Promise<ExecutionRecord> {
    await this.#ready();
    const { store } = this.#parts;
    const { id: found, ...row } = await this.#workplaces.findMeant(call, id);
    const execution = toExecution({ id: found, ...row });
    nameInRecord(call.record, execution);
    this.#keeping.markActive(execution, call);
    await this.#look(call, execution);
    return store.database.read(async (db) => {
      const now = (await store.find(db, found)) ?? { id: found, ...row };
      const runs = await store.listEventsOfKinds(db, row.seq, ["tests"], maxShownRuns);
      const issues = await store.listEventsOfKinds(db, row.seq, ["issue"], maxShownRuns);
      return {
        ...toExecution(now),
        events: await store.events(db, row.seq, { limit: maxShownEvents }),
        files: await store.listFiles(db, row.seq),
        tests: runs.map(({ details }) => details as ExecutionRecord["tests"][number]),
        issues: issues.map(({ details }) => details as Issue),
      };
    });
  }

  async commit(call: Call, id: string | undefined, request: CommitRequest): Promise<CommitOutcome> {
    await this.#ready();
    const { id: mine } = await this.#workplaces.requireOwn(call, id);
    return this.#turns.run(mine, async () => {
      const execution = await this.#running(mine);
      requireOwnFolder(this.#parts, execution);
      return this.#committing.commit(call, execution, request);
    });
  }

  async cancel(call: Call, id: string | undefined, reason: string | undefined) {
    await this.#ready();
    const { id: mine } = await this.#workplaces.requireOwn(call, id);
    return this.#turns.run(mine, async () => {
      const execution = await this.#running(mine);
      await this.#look(call, execution);
      const ending = {
        status: "cancelled",
        merged: false,
        keepBranch: false,
        reason: reason === undefined ? "Cancelled." : `Cancelled: ${reason}`,
      } as const;
      try {
        return await this.#finishing.end(call, execution, ending, call.signal);
      } catch (error) {
        await this.#recovering.settle(mine, createRecoverySignal());
        throw error;
      }
    });
  }

  async workplace(call: Call, id: string | undefined): Promise<Workspace> {
    await this.#ready();
    return this.#workplaces.open(call, id);
  }

  async workplaceOrProject(call: Call, id: string | undefined): Promise<Workspace> {
    await this.#ready();
    return this.#workplaces.openOrProject(call, id);
  }

  requireWritable(workplace: Workspace, path: string, signal: AbortSignal): Promise<Execution> {
    return this.#workplaces.requireWritable(workplace, path, signal);
  }

  hasOthersWork(execution: Execution, file: { path: string; sha256: string }, signal: AbortSignal): Promise<boolean> {
    return hasOthersWork(this.#parts, execution, file, signal);
  }

  note(call: Call, execution: Execution, ...happenings: TimelineEvent[]): Promise<void> {
    return this.#noting.note(call, execution, happenings);
  }

  async diff(call: Call, id: string | undefined, { maxBytes = defaultDiffBytes } = {}) {
    await this.#ready();
    const execution = toExecution(await this.#workplaces.findMeant(call, id));
    nameInRecord(call.record, execution);
    return diffExecution(this.#parts, execution, maxBytes, call);
  }

  async follow(call: Call, id: string | undefined, following: FollowOptions): Promise<FollowOutcome> {
    await this.#ready();
    const row = await this.#workplaces.findMeant(call, id);
    nameInRecord(call.record, toExecution(row));
    return this.#following.follow(call, row, following);
  }

  watch(id: string | undefined, changed: () => void): () => void {
    return this.#watching.onChanges(id, changed);
  }

  async recover(signal: AbortSignal): Promise<string[]> {
    return this.#recovering.recover(signal);
  }

  async stop(): Promise<void> {
    await this.#turns.waitForAll();
    await this.#keeping.stop();
  }

  /** A folder that is gone or cannot be read keeps nobody from seeing the rest. */
  async #look(call: Call, execution: Execution): Promise<void> {
    try {
      await this.#observing.recordGitChanges(call, execution, call.signal);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    }
  }

  async #running(id: string): Promise<Execution> {
    const execution = toExecution(await this.#workplaces.requireById(id));
    if (execution.status !== "running") throw endedExecution(execution);
    return execution;
  }

  /** Once in a process, and before anything else: what another left half done is seen to. */
  #ready(): Promise<void> {
    this.#recovered ??= this.#recover().then(
      (words) => void this.#found.push(...words),
      (error: unknown) => {
        this.#recovered = undefined;
        // What cannot be seen to now keeps nobody from working; the next call tries again.
        if (!(error instanceof ForgeError)) throw error;
      },
    );
    return this.#recovered;
  }

  async #recover(): Promise<string[]> {
    await this.#keeping.endAbandoned();
    return this.#recovering.recover(createRecoverySignal());
  }

  #sayFound(): string[] {
    const said = this.#isToBeSaid ? this.#found : [];
    this.#isToBeSaid = false;
    return said;
  }
}

function parseCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,15}$/.test(cursor)) throw invalidCursor();
  return Number(cursor);
}
