import { type Claiming, Claims } from "../../../../commons/claims/index.ts";
import type { Leases } from "../../../../commons/leases/index.ts";
import type { Ledger } from "../../../../commons/ledger/index.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import type { Database } from "../../../../platform/db/database.ts";
import type {
  Board,
  BoardFiles,
  By,
  ImportOutcome,
  ImportRequest,
  TaskChanges,
  TaskDraft,
} from "../../model/services.ts";
import type { Block, DependencyState, Task, TaskFilter, TaskPage, TaskStatus } from "../../model/task-model.ts";
import { BlocksFileOnDisk } from "../formats/blocks-file.ts";
import { Importing } from "../formats/board-importer.ts";
import { exportedText } from "../formats/export-board.ts";
import { claimedByOther, inCircle, isDone, waiting } from "../model/errors.ts";
import { taskKey } from "../model/ids.ts";
import { BoardStore, type Tx } from "../store/board-store.ts";
import { countsOf, totalCounts } from "../store/counts.ts";
import { blockRows, countBlocks, placeOf } from "../store/pages.ts";
import { blockFrom, noTasks, taskFrom } from "../store/rows.ts";
import { aboutTask, type BlockDraft, Changing, name } from "./board-writer.ts";
import { cycleThrough } from "./dependency-cycles.ts";
import { dependencyStates, relatedBlocks } from "./dependency-states.ts";
import { meaningsOf } from "./resolve-dependencies.ts";
import { Looking } from "./task-queries.ts";

export type LocalBoardOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  leases: Leases;
  /** Where a `blocks_config.json` may lie; none is looked for without. */
  projectRoot?: string;
  now?: () => number;
};

type BlockFilter = Parameters<Board["blocks"]>[0];
type TaskName = Pick<Task, "blockId" | "id">;

const usualPage = 50;

/** Blocks and tasks in the project's own store, with all their rules. */
export class LocalBoard implements Board, BoardFiles {
  /** Who is on which task, by {@link taskKey}. */
  readonly claims: Claims;
  readonly #store: BoardStore;
  readonly #changing: Changing;
  readonly #looking: Looking;
  readonly #file: BlocksFileOnDisk | undefined;

  constructor({ database, ledger, leases, projectRoot, now = Date.now }: LocalBoardOptions) {
    this.claims = new Claims({ leases, nameOf: (key) => `task:${key}`, taken: claimedByOther, now });
    this.#store = new BoardStore(database);
    this.#changing = new Changing(this.#store, ledger, this.claims, now);
    this.#looking = new Looking(this.#store, this.claims);
    const importing = new Importing(this.#store, this.claims, now);
    const parts = { store: this.#store, changing: this.#changing, importing, now };
    this.#file = projectRoot === undefined ? undefined : new BlocksFileOnDisk(projectRoot, parts);
  }

  async blocks({ text, status, hasTasks, limit = usualPage, cursor }: BlockFilter) {
    const warnings = await this.#look();
    const query = { text: text?.trim() || undefined, standing: status, hasTasks };
    return this.#store.database.read(async (db) => {
      const rows = await blockRows(db, query, placeOf(cursor), limit + 1);
      const shown = rows.slice(0, limit);
      const counts = await countsOf(
        db,
        shown.map(({ seq }) => seq),
      );
      const last = rows.length > limit ? shown.at(-1)?.seq : undefined;
      return {
        blocks: shown.map((row) => blockFrom(row, counts.get(row.seq) ?? noTasks())),
        total: await countBlocks(db, query),
        ...(last !== undefined && { nextCursor: String(last) }),
        warnings,
      };
    });
  }

  async block(ref: string): Promise<Block> {
    await this.#look();
    return this.#store.database.read(async (db) => {
      const row = await this.#changing.requireBlock(db, ref);
      return blockFrom(row, (await countsOf(db, [row.seq])).get(row.seq) ?? noTasks());
    });
  }

  async tasks(filter: TaskFilter): Promise<TaskPage> {
    const warnings = await this.#look();
    return this.#store.database.read(async (db) => {
      const block = filter.block === undefined ? undefined : await this.#changing.requireBlock(db, filter.block);
      const page = await this.#looking.page(db, { ...filter, blockSeq: block?.seq });
      return { ...page, warnings: [...new Set([...warnings, ...page.warnings])] };
    });
  }

  async task(block: string, id: string): Promise<Task> {
    await this.#look();
    return this.#store.database.read(async (db) => {
      const found = await this.#changing.requireTask(db, block, id);
      return this.#changing.withClaim(db, taskFrom(found.row, found.block));
    });
  }

  dependencies(task: TaskName): Promise<DependencyState[]> {
    return this.#store.database.read(async (db) => {
      const { row } = await this.#changing.requireTask(db, task.blockId, task.id);
      return dependencyStates(db, this.claims, row);
    });
  }

  cycle(task: TaskName): Promise<string[] | undefined> {
    return this.#store.database.read(async (db) => {
      const { row } = await this.#changing.requireTask(db, task.blockId, task.id);
      return cycleThrough(db, row.seq);
    });
  }

  relatedBlocks(task: TaskName): Promise<string[]> {
    return this.#store.database.read(async (db) => {
      const { block, row } = await this.#changing.requireTask(db, task.blockId, task.id);
      return relatedBlocks(db, this.#store, block, row);
    });
  }

  async createBlock(by: By, draft: BlockDraft): Promise<Block> {
    await this.#look();
    return this.#changing.createBlock(by, draft);
  }

  async updateBlock(
    by: By,
    ref: string,
    changes: { name?: string | undefined; description?: string | undefined },
    expectedRevision?: number,
  ): Promise<Block> {
    await this.#look();
    return this.#changing.updateBlock(by, ref, changes, expectedRevision);
  }

  async createTask(by: By, block: string, draft: TaskDraft): Promise<Task> {
    await this.#look();
    return this.#changing.createTask(by, block, draft);
  }

  async updateTask(by: By, block: string, id: string, changes: TaskChanges, expectedRevision?: number): Promise<Task> {
    await this.#look();
    return this.#changing.updateTask(by, block, id, changes, expectedRevision);
  }

  async claim(by: By, block: string, id: string, claiming: Claiming): Promise<Task> {
    await this.#look();
    return this.#store.database.transaction(async (tx) => {
      const found = await this.#changing.requireTask(tx, block, id);
      const key = taskKey(found.block.id, found.row.id);
      if (found.row.status === "completed") throw isDone(key);
      const { claim } = await this.claims.take(tx, key, by.principal, claiming);
      await this.#changing.commit(tx, by, [aboutTask(found.block, found.row)]);
      return taskFrom(found.row, found.block, claim);
    });
  }

  async release(by: By, block: string, id: string): Promise<Task> {
    await this.#look();
    return this.#store.database.transaction(async (tx) => {
      const found = await this.#changing.requireTask(tx, block, id);
      const key = taskKey(found.block.id, found.row.id);
      await this.claims.requireFree(tx, key, by.principal);
      await this.claims.end(tx, key);
      await this.#changing.commit(tx, by, [aboutTask(found.block, found.row)]);
      return taskFrom(found.row, found.block);
    });
  }

  async totals(): Promise<{ blocks: number; tasks: number; byStatus: Record<TaskStatus, number> }> {
    await this.#look();
    return this.#store.database.read(async (db) => {
      const byStatus = await totalCounts(db);
      const tasks = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
      const all = { text: undefined, standing: undefined, hasTasks: undefined };
      return { blocks: await countBlocks(db, all), tasks, byStatus };
    });
  }

  /** In the transaction of an execution's start: throws where the task is done, another's, in a circle or waits for others. */
  async requireStartable(tx: Tx, block: string, id: string, principal: Principal): Promise<Task> {
    const found = await this.#changing.requireTask(tx, block, id);
    const { row } = found;
    const key = taskKey(found.block.id, row.id);
    if (row.status === "completed") throw isDone(key);
    await this.claims.requireFree(tx, key, principal);
    const path = await cycleThrough(tx, row.seq);
    if (path) throw inCircle(key, path);
    const meant = (await meaningsOf(tx, [row.seq])).get(row.seq) ?? [];
    const unmet = meant.filter(({ status }) => status !== "completed");
    if (unmet.length > 0)
      throw waiting(
        key,
        unmet.map(({ ref, status }) => ({ ref, status })),
      );
    return this.#changing.withClaim(tx, taskFrom(row, found.block));
  }

  /** Its execution begins. The ledger's entry is the caller's to commit. */
  beginIn(tx: Tx, by: By, task: TaskName & Partial<Pick<Task, "revision">>): Promise<Task> {
    return this.settleIn(tx, by, task, { status: "in_progress" });
  }

  /** Its execution ends. Where a revision is given, the task must still be at it. */
  async settleIn(
    tx: Tx,
    by: By,
    task: TaskName & Partial<Pick<Task, "revision">>,
    { status, commitId, log }: { status: TaskStatus; commitId?: string | undefined; log?: string | undefined },
  ): Promise<Task> {
    const found = await this.#changing.requireTask(tx, task.blockId, task.id);
    const columns = { status, ...(commitId !== undefined && { commit_id: commitId }) };
    const content = log === undefined ? {} : { log };
    const settled = await this.#changing.write(tx, by, found, { columns, content }, task.revision);
    name(by, [aboutTask(found.block, found.row)]);
    return settled;
  }

  async importFile(by: By, request: ImportRequest = {}): Promise<ImportOutcome> {
    return this.#requireFile().import(by, request);
  }

  async exportFile(by: By, { overwrite = false } = {}): Promise<{ path: string; blocks: number; tasks: number }> {
    await this.#look();
    return this.#requireFile().export(by, overwrite);
  }

  async exportText(): Promise<string> {
    await this.#look();
    const { text } = await this.#store.database.read((db) => exportedText(db, this.#store));
    return text;
  }

  /** Gives back what this process holds. */
  stop(): Promise<void> {
    return this.claims.stop();
  }

  async #look(): Promise<string[]> {
    return (await this.#file?.look()) ?? [];
  }

  #requireFile(): BlocksFileOnDisk {
    if (!this.#file) throw new Error("a board without a project has no file");
    return this.#file;
  }
}
