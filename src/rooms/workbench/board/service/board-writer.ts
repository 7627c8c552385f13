import type { Claims } from "../../../../commons/claims/index.ts";
import type { Ledger } from "../../../../commons/ledger/index.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import type { By, TaskChanges, TaskDraft } from "../../model/services.ts";
import type { Block, SomeContent, Task, TaskStatus } from "../../model/task-model.ts";
import { beingExecuted, blockTaken, noBlock, noTask, notYours, taskTaken } from "../model/errors.ts";
import { taskKey } from "../model/ids.ts";
import type { BoardStore, Db, Tx } from "../store/board-store.ts";
import { countsOf } from "../store/counts.ts";
import {
  type BlockSaid,
  blockDocument,
  editedTask,
  stored,
  storedDocument,
  taskContentFrom,
  taskDocument,
} from "../store/documents.ts";
import { type BlockRow, blockFrom, noTasks, type TaskRow, taskFrom } from "../store/rows.ts";
import { waitAfterBlock, waitAfterChange, waitAfterNew } from "./waiting-tasks.ts";

const nearestAmong = 200;

export type Found = { block: BlockRow; row: TaskRow };

/** What is to become of a task. */
type Columns = Partial<Pick<TaskRow, "name" | "status" | "commit_id" | "ticket">>;
export type Change = { columns?: Columns; content?: SomeContent };

export type BlockDraft = { name: string; id?: string | undefined } & BlockSaid;

/** The one way blocks and tasks change: row, dependencies, counts and the ledger's entry in one transaction. */
export class Changing {
  readonly #store: BoardStore;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #claims: Claims;
  readonly #now: () => number;

  constructor(store: BoardStore, ledger: Pick<Ledger, "commit">, claims: Claims, now: () => number) {
    this.#store = store;
    this.#ledger = ledger;
    this.#claims = claims;
    this.#now = now;
  }

  async requireBlock(db: Db, ref: string): Promise<BlockRow> {
    const row = await this.#store.findBlock(db, ref);
    if (row) return row;
    const known = await this.#store.someBlocks(db, nearestAmong);
    throw noBlock(
      ref,
      known.flatMap(({ id, name }) => [id, name]),
    );
  }

  async requireTask(db: Db, ref: string, id: string): Promise<Found> {
    const block = await this.requireBlock(db, ref);
    const row = await this.#store.findTask(db, block.seq, id);
    if (row) return { block, row };
    const known = await this.#store.someTasks(db, block.seq, nearestAmong);
    throw noTask(block, id, known, (await this.#store.hasTask(db, id))?.block);
  }

  createBlock(by: By, draft: BlockDraft): Promise<Block> {
    return this.#store.database.transaction(async (tx) => {
      for (const [what, value] of [
        ["id", draft.id],
        ["name", draft.name],
      ] as const) {
        const other = value === undefined ? undefined : await this.#store.findBlock(tx, value);
        if (other) throw blockTaken(what, value ?? "", other.id);
      }
      const { id = await this.#store.newBlockId(tx), name, ...said } = draft;
      const now = this.#now();
      const document = stored(`block ${id}`, blockDocument(said));
      const row = await this.#store.insertBlock(tx, {
        id,
        name,
        document,
        created_at: now,
        updated_at: now,
        revision: 1,
      });
      await waitAfterBlock(tx, row);
      await this.commit(tx, by, [`block:${id}`]);
      return blockFrom(row, noTasks());
    });
  }

  updateBlock(
    by: By,
    ref: string,
    changes: { name?: string | undefined; description?: string | undefined },
    expected: number | undefined,
  ): Promise<Block> {
    return this.#store.database.transaction(async (tx) => {
      const row = await this.requireBlock(tx, ref);
      const { name = row.name, description } = changes;
      const other = await this.#store.findBlock(tx, name);
      if (other && other.seq !== row.seq) throw blockTaken("name", name, other.id);
      const document = storedDocument(row.document);
      if (description !== undefined) document.set("description", description);
      const columns = { name, document: stored(`block ${row.id}`, document), updated_at: this.#now() };
      const revision = await this.#store.updateBlock(tx, row, expected ?? row.revision, columns);
      if (name !== row.name) await waitAfterBlock(tx, { ...row, name }, row.name);
      await this.commit(tx, by, [`block:${row.id}`]);
      const counts = (await countsOf(tx, [row.seq])).get(row.seq) ?? noTasks();
      return blockFrom({ ...row, ...columns, revision }, counts);
    });
  }

  createTask(by: By, ref: string, draft: TaskDraft): Promise<Task> {
    const { name, id: given, status = "pending", ticketId, ...content } = draft;
    requireOwnStatus(by.principal, status);
    return this.#store.database.transaction(async (tx) => {
      const block = await this.requireBlock(tx, ref);
      if (given !== undefined && (await this.#store.findTask(tx, block.seq, given))) throw taskTaken(block.id, given);
      const id = given ?? (await this.#store.newTaskId(tx));
      const now = this.#now();
      const document = stored(`task ${id}`, taskDocument(content));
      const row = {
        block: block.seq,
        id,
        name,
        status,
        commit_id: "",
        ticket: ticketId ?? null,
        document,
        created_at: now,
        updated_at: now,
        updated_by: by.principal.name,
        revision: 1,
      };
      const { dependencies } = taskContentFrom(document);
      const [seq = 0] = await this.#store.insertTasks(tx, [{ row, dependencies }]);
      await waitAfterNew(tx, block, { ...row, seq });
      await this.commit(tx, by, [aboutTask(block, row)]);
      return taskFrom({ ...row, seq, waits: 0 }, block);
    });
  }

  updateTask(by: By, ref: string, id: string, changes: TaskChanges, expected: number | undefined): Promise<Task> {
    const { name, status, ticketId, ...content } = changes;
    return this.#store.database.transaction(async (tx) => {
      const found = await this.requireTask(tx, ref, id);
      const { block, row } = found;
      const key = taskKey(block.id, row.id);
      await this.#claims.requireFree(tx, key, by.principal);
      if (status !== undefined && status !== row.status) {
        requireOwnStatus(by.principal, status);
        const execution = await this.#store.runningExecution(tx, block.id, row.id);
        if (execution !== undefined) throw beingExecuted(key, execution);
      }
      const columns = {
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        ...(ticketId !== undefined && { ticket: ticketId }),
      };
      const task = await this.write(tx, by, found, { columns, content }, expected);
      await this.commit(tx, by, [aboutTask(block, row)]);
      return this.withClaim(tx, task);
    });
  }

  /** The ledger's entry is the caller's to commit. Where nothing is different nothing is written. */
  async write(tx: Tx, by: By, { block, row }: Found, change: Change, expected = row.revision): Promise<Task> {
    const { columns = {}, content = {} } = change;
    const document = stored(`task ${row.id}`, editedTask(storedDocument(row.document), content));
    const isSame =
      document === row.document &&
      Object.entries(columns).every(([name, value]) => row[name as keyof Columns] === value);
    if (isSame && expected === row.revision) return taskFrom(row, block);
    const changes = {
      ...columns,
      document,
      updated_at: Math.max(this.#now(), row.updated_at),
      updated_by: by.principal.name,
    };
    const revision = await this.#store.updateTask(tx, row, expected, changes);
    if (content.dependencies !== undefined)
      await this.#store.setDependencies(tx, row.seq, taskContentFrom(document).dependencies);
    await waitAfterChange(tx, block, row, {
      status: changes.status ?? row.status,
      hasOtherDependencies: content.dependencies !== undefined,
    });
    return taskFrom({ ...row, ...changes, revision }, block);
  }

  async withClaim(db: Db, task: Task): Promise<Task> {
    const key = taskKey(task.blockId, task.id);
    const claim = (await this.#claims.on(db, [key])).get(key);
    return claim ? { ...task, claim } : task;
  }

  async commit(tx: Tx, by: By, about: readonly string[]): Promise<void> {
    name(by, about);
    await this.#ledger.commit(tx, by.record);
  }
}

/** The ledger's entry is about blocks and tasks by their proper ids, whatever they were called by. */
export function name({ record }: By, about: readonly string[]): void {
  const others = record.about.filter((item) => !item.startsWith("task:") && !item.startsWith("block:"));
  record.about = [...about, ...others];
}

export function aboutTask(block: Pick<BlockRow, "id">, task: Pick<TaskRow, "id">): string {
  return `task:${taskKey(block.id, task.id)}`;
}

/** That something is being done, or done, is seen by Forge and not told to it; a person may know better. */
function requireOwnStatus({ atKeyboard }: Principal, status: TaskStatus): void {
  if (!atKeyboard && (status === "in_progress" || status === "completed")) throw notYours(status);
}
