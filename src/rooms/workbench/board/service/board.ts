import { type Claiming, Claims } from "../../../../commons/claims/index.ts";
import type { Author } from "../../../../commons/guard/index.ts";
import type { Leases } from "../../../../commons/leases/index.ts";
import type { Ledger } from "../../../../commons/ledger/index.ts";
import type { Actor } from "../../../../kernel/calls/call.ts";
import { pageOf, parseCursor } from "../../../../kernel/page.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import type { Database } from "../../../../platform/db/database.ts";
import type { Advice } from "../../model/advice.ts";
import type {
  Block,
  BlockFilter,
  BlockPage,
  DependencyState,
  ImportOutcome,
  ImportRequest,
  Task,
  TaskChanges,
  TaskDraft,
  TaskFilter,
  TaskPage,
  TaskStatus,
} from "../../model/task-model.ts";
import { BlocksConfigFile } from "../formats/blocks-config-file.ts";
import { BoardImporter } from "../formats/board-importer.ts";
import { exportBoard } from "../formats/export-board.ts";
import { claimedTask, completedTask, dependencyCycle, unmetDependencies } from "../model/errors.ts";
import { taskKey, taskReference } from "../model/ids.ts";
import { BoardStore, type Tx } from "../store/board-store.ts";
import { readBlockCounts, readTotalCounts } from "../store/counts.ts";
import { countBlocks, readBlockRows } from "../store/pages.ts";
import { createCounts, toBlock, toTask } from "../store/rows.ts";
import { type BlockDraft, BoardWriter, nameInRecord } from "./board-writer.ts";
import { findCycleThrough } from "./dependency-cycles.ts";
import { findRelatedBlocks, type RelatedBlock, readDependencyStates } from "./dependency-states.ts";
import { resolveDependencies } from "./resolve-dependencies.ts";
import { TaskQueries } from "./task-queries.ts";

export type BoardOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  leases: Leases;
  /** The folder that may contain a `blocks_config.json`. */
  projectRoot?: string;
  now?: () => number;
};

type TaskKey = Pick<Task, "blockId" | "id">;

const defaultPageSize = 50;

/** Blocks and tasks in the project's store. Blocks are named by id or name; an unknown one is NOT_FOUND with suggestions. */
export class Board {
  /** Who works on which task, by {@link taskKey}. */
  readonly claims: Claims;
  readonly #store: BoardStore;
  readonly #writer: BoardWriter;
  readonly #queries: TaskQueries;
  readonly #file: BlocksConfigFile | undefined;
  #beforeReading: () => Promise<void> = async () => undefined;

  constructor({ database, ledger, leases, projectRoot, now = Date.now }: BoardOptions) {
    this.claims = new Claims({ leases, nameOf: (key) => `task:${key}`, taken: claimedTask, now });
    this.#store = new BoardStore(database);
    this.#writer = new BoardWriter(this.#store, ledger, this.claims, now);
    this.#queries = new TaskQueries(this.#store, this.claims);
    const importer = new BoardImporter(this.#store, this.claims, now);
    const deps = { store: this.#store, writer: this.#writer, importer, now };
    this.#file = projectRoot === undefined ? undefined : new BlocksConfigFile(projectRoot, deps);
  }

  /** What makes the board true before it is shown: tasks of executions that a killed process left in the middle. */
  settleBeforeReading(settle: () => Promise<void>): void {
    this.#beforeReading = settle;
  }

  async blocks({ text, status, hasTasks, limit = defaultPageSize, cursor }: BlockFilter): Promise<BlockPage> {
    const advice = await this.#refreshFile();
    const query = { text: text?.trim() || undefined, standing: status, hasTasks };
    return this.#store.database.read(async (db) => {
      const rows = await readBlockRows(db, query, parseCursor(cursor) ?? 0, limit + 1);
      const { items: shown, ...next } = pageOf(rows, limit, ({ seq }) => seq);
      const counts = await readBlockCounts(
        db,
        shown.map(({ seq }) => seq),
      );
      return {
        blocks: shown.map((row) => toBlock(row, counts.get(row.seq) ?? createCounts())),
        total: await countBlocks(db, query),
        ...next,
        ...advice,
      };
    });
  }

  async block(ref: string): Promise<Block> {
    await this.#refreshFile();
    return this.#store.database.read(async (db) => {
      const row = await this.#writer.requireBlock(db, ref);
      return toBlock(row, (await readBlockCounts(db, [row.seq])).get(row.seq) ?? createCounts());
    });
  }

  async tasks(filter: TaskFilter): Promise<TaskPage> {
    const { warnings, next } = await this.#refreshFile();
    return this.#store.database.read(async (db) => {
      const block = filter.block === undefined ? undefined : await this.#writer.requireBlock(db, filter.block);
      const page = await this.#queries.page(db, { ...filter, blockSeq: block?.seq });
      return { ...page, warnings: [...new Set([...warnings, ...page.warnings])], next };
    });
  }

  async task(block: string, id: string): Promise<Task> {
    await this.#refreshFile();
    return this.#store.database.read(async (db) => {
      const found = await this.#writer.requireTask(db, block, id);
      return this.#writer.withClaim(db, toTask(found.row, found.block));
    });
  }

  /** The tasks that belong to a ticket, in board order. */
  tasksOfTicket(ticket: string, limit: number): Promise<Pick<Task, "id" | "blockId" | "name" | "status">[]> {
    return this.#store.database.read((db) => this.#store.listTasksOfTicket(db, ticket, limit));
  }

  /** Every dependency of a task, in the order written. */
  dependencies(task: TaskKey): Promise<DependencyState[]> {
    return this.#store.database.read(async (db) => {
      const { row } = await this.#writer.requireTask(db, task.blockId, task.id);
      return readDependencyStates(db, this.claims, row);
    });
  }

  /** The path if the task waits for itself: `A → B → A`. */
  cycle(task: TaskKey): Promise<string[] | undefined> {
    return this.#store.database.read(async (db) => {
      const { row } = await this.#writer.requireTask(db, task.blockId, task.id);
      return findCycleThrough(db, row.seq);
    });
  }

  /** The blocks that the task's block is connected with, and those that the task waits for. */
  relatedBlocks(task: TaskKey): Promise<RelatedBlock[]> {
    return this.#store.database.read(async (db) => {
      const { block, row } = await this.#writer.requireTask(db, task.blockId, task.id);
      return findRelatedBlocks(db, this.#store, block, row);
    });
  }

  async createBlock(by: Author, draft: BlockDraft): Promise<Block> {
    await this.#refreshFile();
    return this.#writer.createBlock(by, draft);
  }

  async updateBlock(
    by: Author,
    ref: string,
    changes: { name?: string | undefined; description?: string | undefined },
    expectedRevision?: number,
  ): Promise<Block> {
    await this.#refreshFile();
    return this.#writer.updateBlock(by, ref, changes, expectedRevision);
  }

  async createTask(by: Author, block: string, draft: TaskDraft): Promise<Task> {
    await this.#refreshFile();
    return this.#writer.createTask(by, block, draft);
  }

  /** Only executions set `in_progress` and `completed`, and a person on a terminal. */
  async updateTask(
    by: Actor,
    block: string,
    id: string,
    changes: TaskChanges,
    expectedRevision?: number,
  ): Promise<Task> {
    await this.#refreshFile();
    return this.#writer.updateTask(by, block, id, changes, expectedRevision);
  }

  async claim(by: Actor, block: string, id: string, claiming: Claiming): Promise<Task> {
    await this.#refreshFile();
    return this.#store.database.transaction(async (tx) => {
      const found = await this.#writer.requireTask(tx, block, id);
      const key = taskKey(found.block.id, found.row.id);
      if (found.row.status === "completed") throw completedTask(key);
      const { claim } = await this.claims.take(tx, key, by.principal, claiming);
      await this.#writer.commit(tx, by, [taskReference(found.block.id, found.row.id)]);
      return toTask(found.row, found.block, claim);
    });
  }

  async release(by: Actor, block: string, id: string): Promise<Task> {
    await this.#refreshFile();
    return this.#store.database.transaction(async (tx) => {
      const found = await this.#writer.requireTask(tx, block, id);
      const key = taskKey(found.block.id, found.row.id);
      await this.claims.requireFree(tx, key, by.principal);
      await this.claims.end(tx, key);
      await this.#writer.commit(tx, by, [taskReference(found.block.id, found.row.id)]);
      return toTask(found.row, found.block);
    });
  }

  /** For statistics. */
  async totals(): Promise<{ blocks: number; tasks: number; byStatus: Record<TaskStatus, number> }> {
    await this.#refreshFile();
    return this.#store.database.read(async (db) => {
      const byStatus = await readTotalCounts(db);
      const tasks = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
      const all = { text: undefined, standing: undefined, hasTasks: undefined };
      return { blocks: await countBlocks(db, all), tasks, byStatus };
    });
  }

  /** In the transaction that starts an execution: throws if the task is completed, claimed by others, or has unmet dependencies. */
  async requireStartable(tx: Tx, block: string, id: string, principal: Principal): Promise<Task> {
    const found = await this.#writer.requireTask(tx, block, id);
    const { row } = found;
    const key = taskKey(found.block.id, row.id);
    if (row.status === "completed") throw completedTask(key);
    await this.claims.requireFree(tx, key, principal);
    const path = await findCycleThrough(tx, row.seq);
    if (path) throw dependencyCycle(key, path, await this.#store.originOfNames(tx));
    const dependencies = (await resolveDependencies(tx, [row.seq])).get(row.seq) ?? [];
    const unmet = dependencies.flatMap(({ ref, status }) => (status === "completed" ? [] : [{ ref, status }]));
    if (unmet.length > 0) throw unmetDependencies(key, unmet, await this.#store.originOfNames(tx));
    return this.#writer.withClaim(tx, toTask(row, found.block));
  }

  /** Its execution begins. The caller commits the ledger entry. */
  beginTask(tx: Tx, by: Actor, task: TaskKey & Partial<Pick<Task, "revision">>): Promise<Task> {
    return this.settleTask(tx, by, task, { status: "in_progress" });
  }

  /** Its execution ends. If a revision is given, the task must still be at it. */
  async settleTask(
    tx: Tx,
    by: Actor,
    task: TaskKey & Partial<Pick<Task, "revision">>,
    { status, commitId, log }: { status: TaskStatus; commitId?: string | undefined; log?: string | undefined },
  ): Promise<Task> {
    const found = await this.#writer.requireTask(tx, task.blockId, task.id);
    const columns = { status, ...(commitId !== undefined && { commit_id: commitId }) };
    const content = log === undefined ? {} : { log };
    const settled = await this.#writer.writeTask(tx, by, found, { columns, content }, task.revision);
    nameInRecord(by, [taskReference(found.block.id, found.row.id)]);
    return settled;
  }

  /** Adds what is new and changes what differs; what the file lacks stays. All of it, or nothing. */
  async importFile(by: Actor, request: ImportRequest = {}): Promise<ImportOutcome> {
    return this.#requireFile().import(by, request);
  }

  /** Writes the project's own file. Changes in it that were not imported are only replaced with `overwrite`. */
  async exportFile(by: Actor, { overwrite = false } = {}): Promise<{ path: string; blocks: number; tasks: number }> {
    await this.#refreshFile();
    return this.#requireFile().export(by, overwrite);
  }

  /** The board as the text of such a file. */
  async exportText(): Promise<string> {
    await this.#refreshFile();
    const { text } = await this.#store.database.read((db) => exportBoard(db, this.#store));
    return text;
  }

  /** Releases what this process holds. */
  stop(): Promise<void> {
    return this.claims.stop();
  }

  async #refreshFile(): Promise<Advice> {
    await this.#beforeReading();
    return (await this.#file?.refresh()) ?? { warnings: [], next: [] };
  }

  #requireFile(): BlocksConfigFile {
    if (!this.#file) throw new Error("a board without a project has no file");
    return this.#file;
  }
}
