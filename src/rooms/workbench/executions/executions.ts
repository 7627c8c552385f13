import type { Call } from "../../../kernel/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Execution, ExecutionOptions, ExecutionRecord, Issue } from "../model/execution-model.ts";
import type {
  CommitOutcome,
  CommitRequest,
  Executions,
  Followed,
  Following,
  Happening,
  Started,
  Workplace,
} from "../model/services.ts";
import { Keeping } from "./claim-keeper.ts";
import { Committing } from "./commit/change-committer.ts";
import type { Parts } from "./deps.ts";
import { badCursor, ended } from "./errors.ts";
import { diffOf } from "./execution-diff.ts";
import { Finishing } from "./finish/cleanup.ts";
import { Completing } from "./finish/complete-task.ts";
import { Merging } from "./finish/merge-branch.ts";
import { OneAtATime } from "./keyed-lock.ts";
import { requireOwnFolder } from "./ownership/execution-folder.ts";
import { hasOthersWork } from "./ownership/writable-path.ts";
import { Recovering, untilSettled } from "./recovery/recovery.ts";
import { executionFrom } from "./rows.ts";
import { Starting } from "./start/task-starter.ts";
import { Watching } from "./timeline/change-watcher.ts";
import { FollowingEvents } from "./timeline/event-follower.ts";
import { Observing } from "./timeline/git-sync.ts";
import { Noting } from "./timeline/noting.ts";
import { Journal, nameIn } from "./timeline/timeline.ts";
import { Workplaces } from "./workspaces.ts";

const usualPage = 50;
const shownEvents = 200;
const shownRuns = 100;
const diffBytes = 400_000;

type ListFilter = Parameters<Executions["list"]>[0];

/** Tasks being worked on, in the project's store and its repository. */
export class LocalExecutions implements Executions {
  readonly #parts: Parts;
  readonly #turns = new OneAtATime();
  readonly #journal: Journal;
  readonly #keeping: Keeping;
  readonly #finishing: Finishing;
  readonly #recovering: Recovering;
  readonly #starting: Starting;
  readonly #workplaces: Workplaces;
  readonly #observing: Observing;
  readonly #noting: Noting;
  readonly #committing: Committing;
  readonly #watching: Watching;
  readonly #following: FollowingEvents;
  #recovered: Promise<void> | undefined;
  /** What recovery found; whoever begins a task is told once, whoever lists them always. */
  readonly #found: string[] = [];
  #isToBeSaid = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#journal = new Journal(parts);
    this.#keeping = new Keeping(parts);
    this.#finishing = new Finishing(parts, this.#journal, this.#keeping);
    this.#recovering = new Recovering(parts, this.#journal, this.#finishing, this.#turns);
    this.#starting = new Starting(parts, this.#journal, this.#keeping, this.#recovering, this.#turns);
    this.#workplaces = new Workplaces(parts, this.#keeping, this.#recovering);
    this.#observing = new Observing(parts, this.#journal);
    this.#noting = new Noting(this.#journal);
    const completing = new Completing(parts, {
      noting: this.#noting,
      merging: new Merging(parts, this.#journal, this.#finishing),
      finishing: this.#finishing,
      recovering: this.#recovering,
    });
    this.#committing = new Committing(parts, {
      journal: this.#journal,
      observing: this.#observing,
      completing,
      recovering: this.#recovering,
    });
    this.#watching = new Watching(parts);
    this.#following = new FollowingEvents(parts, this.#observing, this.#watching);
  }

  async start(call: Call, block: string, task: string, options: Partial<ExecutionOptions>): Promise<Started> {
    await this.#ready();
    const started = await this.#starting.start(call, block, task, options);
    this.#workplaces.opened(call.principal, started.execution.id);
    return { ...started, warnings: [...this.#sayFound(), ...started.warnings] };
  }

  async list({ status, block, task, limit = usualPage, cursor }: ListFilter) {
    await this.#ready();
    const { store } = this.#parts;
    const query = { status, block, task };
    return store.database.read(async (db) => {
      const rows = await store.page(db, { ...query, before: placeOf(cursor), limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1)?.seq : undefined;
      return {
        executions: shown.map(executionFrom),
        total: await store.count(db, query),
        ...(last !== undefined && { nextCursor: String(last) }),
        warnings: [...this.#found],
      };
    });
  }

  async get(call: Call, id: string | undefined): Promise<ExecutionRecord> {
    await this.#ready();
    const { store } = this.#parts;
    const { id: found, ...row } = await this.#workplaces.look(call, id);
    const execution = executionFrom({ id: found, ...row });
    nameIn(call.record, execution);
    this.#keeping.heardFrom(execution, call);
    await this.#look(call, execution);
    return store.database.read(async (db) => {
      const now = (await store.find(db, found)) ?? { id: found, ...row };
      const runs = await store.eventsOf(db, row.seq, ["tests"], shownRuns);
      const issues = await store.eventsOf(db, row.seq, ["issue"], shownRuns);
      return {
        ...executionFrom(now),
        events: await store.events(db, row.seq, { limit: shownEvents }),
        files: await store.files(db, row.seq),
        tests: runs.map(({ details }) => details as ExecutionRecord["tests"][number]),
        issues: issues.map(({ details }) => details as Issue),
      };
    });
  }

  async commit(call: Call, id: string | undefined, request: CommitRequest): Promise<CommitOutcome> {
    await this.#ready();
    const { id: mine } = await this.#workplaces.mine(call, id);
    return this.#turns.run(mine, async () => {
      const execution = await this.#running(mine);
      requireOwnFolder(this.#parts, execution);
      return this.#committing.commit(call, execution, request);
    });
  }

  async cancel(call: Call, id: string | undefined, reason: string | undefined) {
    await this.#ready();
    const { id: mine } = await this.#workplaces.mine(call, id);
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
        await this.#recovering.settle(mine, untilSettled());
        throw error;
      }
    });
  }

  async workplace(call: Call, id: string | undefined): Promise<Workplace> {
    await this.#ready();
    return this.#workplaces.workplace(call, id);
  }

  async workplaceOrProject(call: Call, id: string | undefined): Promise<Workplace> {
    await this.#ready();
    return this.#workplaces.workplaceOrProject(call, id);
  }

  requireWritable(workplace: Workplace, path: string, signal: AbortSignal): Promise<Execution> {
    return this.#workplaces.writable(workplace, path, signal);
  }

  hasOthersWork(execution: Execution, file: { path: string; sha256: string }, signal: AbortSignal): Promise<boolean> {
    return hasOthersWork(this.#parts, execution, file, signal);
  }

  note(call: Call, execution: Execution, ...happenings: Happening[]): Promise<void> {
    return this.#noting.note(call, execution, happenings);
  }

  async diff(call: Call, id: string | undefined, { maxBytes = diffBytes } = {}) {
    await this.#ready();
    const execution = executionFrom(await this.#workplaces.look(call, id));
    nameIn(call.record, execution);
    return diffOf(this.#parts, execution, maxBytes, call);
  }

  async follow(call: Call, id: string | undefined, following: Following): Promise<Followed> {
    await this.#ready();
    const row = await this.#workplaces.look(call, id);
    nameIn(call.record, executionFrom(row));
    return this.#following.follow(call, row, following);
  }

  watch(id: string | undefined, changed: () => void): () => void {
    return this.#watching.changes(id, changed);
  }

  async recover(signal: AbortSignal): Promise<string[]> {
    return this.#recovering.recover(signal);
  }

  async stop(): Promise<void> {
    await this.#turns.settled();
    await this.#keeping.stop();
  }

  /** A folder that is gone or cannot be read keeps nobody from seeing the rest. */
  async #look(call: Call, execution: Execution): Promise<void> {
    try {
      await this.#observing.observe(call, execution, call.signal);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    }
  }

  async #running(id: string): Promise<Execution> {
    const execution = executionFrom(await this.#workplaces.require(id));
    if (execution.status !== "running") throw ended(execution);
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
    return this.#recovering.recover(untilSettled());
  }

  #sayFound(): string[] {
    const said = this.#isToBeSaid ? this.#found : [];
    this.#isToBeSaid = false;
    return said;
  }
}

function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,15}$/.test(cursor)) throw badCursor();
  return Number(cursor);
}
