import type { Claims } from "../../../../commons/claims/index.ts";
import type { Author } from "../../../../commons/guard/index.ts";
import type { Ledger } from "../../../../commons/ledger/index.ts";
import type { Actor } from "../../../../kernel/calls/call.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import type { Block, PartialTaskContent, Task, TaskChanges, TaskDraft, TaskStatus } from "../../model/task-model.ts";
import {
  duplicateBlock,
  duplicateTask,
  reservedStatus,
  taskInExecution,
  unknownBlock,
  unknownTask,
} from "../model/errors.ts";
import { taskKey, taskReference } from "../model/ids.ts";
import type { BoardStore, Db, Tx } from "../store/board-store.ts";
import { readBlockCounts } from "../store/counts.ts";
import {
  type BlockContent,
  createBlockDocument,
  createTaskDocument,
  editTaskDocument,
  parseDocument,
  parseTaskContent,
  serializeDocument,
} from "../store/documents.ts";
import { type BlockRow, createCounts, type TaskRow, toBlock, toTask } from "../store/rows.ts";
import { updateWaitsAfterBlock, updateWaitsAfterChange, updateWaitsAfterInsert } from "./waiting-tasks.ts";

const maxSuggestionCandidates = 200;

export type FoundTask = { block: BlockRow; row: TaskRow };

/** The columns and the content that change. */
type TaskColumns = Partial<Pick<TaskRow, "name" | "status" | "commit_id" | "ticket">>;
export type TaskChange = { columns?: TaskColumns; content?: PartialTaskContent };

export type BlockDraft = { name: string; id?: string | undefined } & BlockContent;

/** The only way blocks and tasks change: row, dependencies, counts and ledger entry in one transaction. */
export class BoardWriter {
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
    const known = await this.#store.listBlockNames(db, maxSuggestionCandidates);
    throw unknownBlock(
      ref,
      known.flatMap(({ id, name }) => [id, name]),
      await this.#store.originOfNames(db),
    );
  }

  async requireTask(db: Db, ref: string, id: string): Promise<FoundTask> {
    const block = await this.requireBlock(db, ref);
    const row = await this.#store.findTask(db, block.seq, id);
    if (row) return { block, row };
    const known = await this.#store.listTaskIds(db, block.seq, maxSuggestionCandidates);
    const elsewhere = (await this.#store.findTaskBlock(db, id))?.block;
    throw unknownTask(block, id, { known, elsewhere, quotes: await this.#store.originOfNames(db) });
  }

  createBlock(by: Author, draft: BlockDraft): Promise<Block> {
    return this.#store.database.transaction(async (tx) => {
      for (const [what, value] of [
        ["id", draft.id],
        ["name", draft.name],
      ] as const) {
        const other = value === undefined ? undefined : await this.#store.findBlock(tx, value);
        if (other) throw duplicateBlock(what, value ?? "", other.id, await this.#store.originOfNames(tx));
      }
      const { id = await this.#store.createBlockId(tx), name, ...said } = draft;
      const now = this.#now();
      const document = serializeDocument(`block ${id}`, createBlockDocument(said));
      const row = await this.#store.insertBlock(tx, {
        id,
        name,
        document,
        created_at: now,
        updated_at: now,
        revision: 1,
      });
      await updateWaitsAfterBlock(tx, row);
      await this.commit(tx, by, [`block:${id}`]);
      return toBlock(row, createCounts());
    });
  }

  updateBlock(
    by: Author,
    ref: string,
    changes: { name?: string | undefined; description?: string | undefined },
    expected: number | undefined,
  ): Promise<Block> {
    return this.#store.database.transaction(async (tx) => {
      const row = await this.requireBlock(tx, ref);
      const { name = row.name, description } = changes;
      const other = await this.#store.findBlock(tx, name);
      if (other && other.seq !== row.seq)
        throw duplicateBlock("name", name, other.id, await this.#store.originOfNames(tx));
      const document = parseDocument(row.document);
      if (description !== undefined) document.set("description", description);
      const columns = { name, document: serializeDocument(`block ${row.id}`, document), updated_at: this.#now() };
      const revision = await this.#store.updateBlock(tx, row, expected ?? row.revision, columns);
      if (name !== row.name) await updateWaitsAfterBlock(tx, { ...row, name }, row.name);
      await this.commit(tx, by, [`block:${row.id}`]);
      const counts = (await readBlockCounts(tx, [row.seq])).get(row.seq) ?? createCounts();
      return toBlock({ ...row, ...columns, revision }, counts);
    });
  }

  createTask(by: Author, ref: string, draft: TaskDraft): Promise<Task> {
    const { name, id: given, status = "pending", ticketId, ...content } = draft;
    requireSettableStatus(by.principal, status);
    return this.#store.database.transaction(async (tx) => {
      const block = await this.requireBlock(tx, ref);
      if (given !== undefined && (await this.#store.findTask(tx, block.seq, given)))
        throw duplicateTask(block.id, given);
      const id = given ?? (await this.#store.createTaskId(tx));
      const now = this.#now();
      const document = serializeDocument(`task ${id}`, createTaskDocument(content));
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
      const { dependencies } = parseTaskContent(document);
      const [seq = 0] = await this.#store.insertTasks(tx, [{ row, dependencies }]);
      await updateWaitsAfterInsert(tx, block, { ...row, seq });
      await this.commit(tx, by, [taskReference(block.id, row.id)]);
      return toTask({ ...row, seq, waits: 0 }, block);
    });
  }

  updateTask(by: Actor, ref: string, id: string, changes: TaskChanges, expected: number | undefined): Promise<Task> {
    const { name, status, ticketId, ...content } = changes;
    return this.#store.database.transaction(async (tx) => {
      const found = await this.requireTask(tx, ref, id);
      const { block, row } = found;
      const key = taskKey(block.id, row.id);
      await this.#claims.requireFree(tx, key, by.principal);
      if (status !== undefined && status !== row.status) {
        requireSettableStatus(by.principal, status);
        const execution = await this.#store.findRunningExecution(tx, block.id, row.id);
        if (execution !== undefined) throw taskInExecution(key, execution);
      }
      const columns = {
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        ...(ticketId !== undefined && { ticket: ticketId }),
      };
      const task = await this.writeTask(tx, by, found, { columns, content }, expected);
      await this.commit(tx, by, [taskReference(block.id, row.id)]);
      return this.withClaim(tx, task);
    });
  }

  /** The caller commits the ledger entry. If nothing differs, nothing is written. */
  async writeTask(
    tx: Tx,
    by: Actor,
    { block, row }: FoundTask,
    change: TaskChange,
    expected = row.revision,
  ): Promise<Task> {
    const { columns = {}, content = {} } = change;
    const document = serializeDocument(`task ${row.id}`, editTaskDocument(parseDocument(row.document), content));
    const isSame =
      document === row.document &&
      Object.entries(columns).every(([name, value]) => row[name as keyof TaskColumns] === value);
    if (isSame && expected === row.revision) return toTask(row, block);
    const changes = {
      ...columns,
      document,
      updated_at: Math.max(this.#now(), row.updated_at),
      updated_by: by.principal.name,
    };
    const revision = await this.#store.updateTask(tx, row, expected, changes);
    if (content.dependencies !== undefined)
      await this.#store.setDependencies(tx, row.seq, parseTaskContent(document).dependencies);
    await updateWaitsAfterChange(tx, block, row, {
      status: changes.status ?? row.status,
      hasOtherDependencies: content.dependencies !== undefined,
    });
    return toTask({ ...row, ...changes, revision }, block);
  }

  async withClaim(db: Db, task: Task): Promise<Task> {
    const key = taskKey(task.blockId, task.id);
    const claim = (await this.#claims.on(db, [key])).get(key);
    return claim ? { ...task, claim } : task;
  }

  async commit(tx: Tx, by: Author, about: readonly string[]): Promise<void> {
    nameInRecord(by, about);
    for (const subject of about) await by.stored?.(tx, subject);
    await this.#ledger.commit(tx, by.record);
  }
}

/** The ledger entry names blocks and tasks by their ids, even if they were called by name. */
export function nameInRecord({ record }: Actor, about: readonly string[]): void {
  const others = record.about.filter((item) => !item.startsWith("task:") && !item.startsWith("block:"));
  record.about = [...about, ...others];
}

/** Forge itself observes whether a task is in progress or completed; a person on a terminal may know better. */
function requireSettableStatus({ atKeyboard }: Principal, status: TaskStatus): void {
  if (!atKeyboard && (status === "in_progress" || status === "completed")) throw reservedStatus(status);
}
