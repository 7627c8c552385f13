import { randomUUID } from "node:crypto";
import type { Claims } from "../../../../commons/claims/index.ts";
import type { Actor } from "../../../../kernel/calls/call.ts";
import { visible } from "../../../../kernel/text/visible.ts";
import type { StatusSource, TaskStatus } from "../../model/limits.ts";
import type { ImportOutcome, ImportTally } from "../../model/task-model.ts";
import { duplicateBlock } from "../model/errors.ts";
import { formatCycle } from "../model/format-cycle.ts";
import { taskKey } from "../model/ids.ts";
import { findCycles } from "../service/dependency-cycles.ts";
import { resolveDependencies } from "../service/resolve-dependencies.ts";
import { describeUnknownDependency } from "../service/task-queries.ts";
import { updateAllWaits } from "../service/waiting-tasks.ts";
import type { BoardStore, TaskInsert, Tx } from "../store/board-store.ts";
import { parseTaskContent, serializeDocument } from "../store/documents.ts";
import { type BlockRow, type TaskRow, toStatus } from "../store/rows.ts";
import type { FileBlock, FileTask, ParsedBlocks } from "./read-blocks.ts";

const statusOrder: readonly TaskStatus[] = ["pending", "in_progress", "failed", "completed"];
const batchSize = 1_000;
const maxNamed = 10;

/** The state of one import. */
type ImportRun = {
  tx: Tx;
  by: Actor;
  statuses: StatusSource;
  lastAt: number | undefined;
  outcome: ImportOutcome;
  changed: string[];
};

type BlockKey = Pick<BlockRow, "id" | "seq">;

/** Imports the blocks of a file by their ids: all of them, or none. */
export class BoardImporter {
  readonly #store: BoardStore;
  readonly #claims: Claims;
  readonly #now: () => number;

  constructor(store: BoardStore, claims: Claims, now: () => number) {
    this.#store = store;
    this.#claims = claims;
    this.#now = now;
  }

  /** `lastAt`: when the file was imported before. The caller commits the ledger entry. */
  async import(
    tx: Tx,
    by: Actor,
    file: ParsedBlocks,
    { statuses, lastAt }: { statuses: StatusSource; lastAt: number | undefined },
  ): Promise<ImportOutcome> {
    const tally = (): ImportTally => ({ added: 0, updated: 0, unchanged: 0 });
    const outcome = { blocks: tally(), tasks: tally(), kept: [], warnings: [...file.warnings] };
    const run: ImportRun = { tx, by, statuses, lastAt, outcome, changed: [] };
    const before = new Map((await this.#store.listBlocks(tx)).map((row) => [row.id, row]));
    requireNames(file.blocks, before);
    await this.#freeNames(tx, file.blocks, before);
    const seqs = await this.#addBlocks(
      run,
      file.blocks.filter(({ id }) => !before.has(id)),
    );
    const fresh: TaskInsert[] = [];
    for (const block of file.blocks) {
      const row = before.get(block.id);
      const place = { id: block.id, seq: row?.seq ?? seqs.get(block.id) ?? 0 };
      if (row) await this.#updateBlock(run, block, row);
      for (const task of await this.#mergeTasks(run, place, block.tasks, row !== undefined)) fresh.push(task);
      before.delete(block.id);
    }
    await this.#store.insertTasks(tx, fresh);
    await updateAllWaits(tx);
    outcome.tasks.added = fresh.length;
    for (const { id, name } of before.values()) run.outcome.kept.push(`block ${visible(name)} (${id})`);
    run.outcome.warnings.push(...describeKept(run.outcome.kept), ...describeReplaced(run.changed));
    run.outcome.warnings.push(...(await this.#findUnknownDependencies(tx)), ...(await describeCycles(tx)));
    return run.outcome;
  }

  /** Blocks may have swapped their names. */
  async #freeNames(tx: Tx, blocks: readonly FileBlock[], before: ReadonlyMap<string, BlockRow>): Promise<void> {
    for (const { id, name } of blocks) {
      const row = before.get(id);
      if (!row || row.name === name) continue;
      await tx
        .updateTable("block")
        .set({ name: `renamed ${randomUUID()}` })
        .where("seq", "=", row.seq)
        .execute();
    }
  }

  async #addBlocks({ tx, outcome }: ImportRun, blocks: readonly FileBlock[]): Promise<Map<string, number>> {
    const now = this.#now();
    outcome.blocks.added = blocks.length;
    return this.#store.insertBlocks(
      tx,
      blocks.map(({ id, name, document }) => ({
        id,
        name,
        document: serializeDocument(`block ${visible(name)}`, document),
        created_at: now,
        updated_at: now,
        revision: 1,
      })),
    );
  }

  async #updateBlock({ tx, outcome }: ImportRun, { name, document: said }: FileBlock, row: BlockRow): Promise<void> {
    const document = serializeDocument(`block ${visible(name)}`, said);
    const isSame = row.name === name && row.document === document;
    outcome.blocks[isSame ? "unchanged" : "updated"]++;
    if (!isSame) await this.#store.updateBlock(tx, row, row.revision, { name, document, updated_at: this.#now() });
  }

  /** Updates tasks that exist; returns those that do not. */
  async #mergeTasks(
    run: ImportRun,
    block: BlockKey,
    tasks: readonly FileTask[],
    isOld: boolean,
  ): Promise<TaskInsert[]> {
    const rows = isOld ? await this.#store.listTasks(run.tx, block.seq) : [];
    const before = new Map(rows.map((row) => [row.id, row]));
    const fresh: TaskInsert[] = [];
    for (const task of tasks) {
      const row = before.get(task.id);
      before.delete(task.id);
      if (row) await this.#mergeTask(run, block, task, row);
      else fresh.push(this.#toInsert(run, block, task));
    }
    for (const id of before.keys()) run.outcome.kept.push(`task ${taskKey(block.id, id)}`);
    return fresh;
  }

  #toInsert(
    { by }: ImportRun,
    block: BlockKey,
    { id, name, status, commitId, dependencies, document }: FileTask,
  ): TaskInsert {
    const now = this.#now();
    const row = {
      block: block.seq,
      id,
      name,
      status,
      commit_id: commitId,
      ticket: null,
      document: serializeDocument(`task ${visible(id)}`, document),
      created_at: now,
      updated_at: now,
      updated_by: by.principal.name,
      revision: 1,
    };
    return { row, dependencies };
  }

  async #mergeTask(run: ImportRun, block: BlockKey, task: FileTask, row: TaskRow): Promise<void> {
    const { tx, by, outcome, statuses, lastAt } = run;
    const merged = mergeTask(task, row, statuses);
    const isSame =
      merged.name === row.name &&
      merged.status === row.status &&
      merged.commit_id === row.commit_id &&
      merged.document === row.document;
    if (isSame) {
      outcome.tasks.unchanged++;
      return;
    }
    const key = taskKey(block.id, row.id);
    const holder = (await this.#claims.on(tx, [key])).get(key)?.holder;
    const execution = await this.#store.findRunningExecution(tx, block.id, row.id);
    if (holder !== undefined || execution !== undefined) {
      const who = execution === undefined ? `claimed by ${holder}` : `being executed (${execution})`;
      outcome.warnings.push(`Task ${key} is ${who} and was not changed.`);
      outcome.tasks.unchanged++;
      return;
    }
    if (lastAt !== undefined && row.updated_at > lastAt && merged.document !== row.document) run.changed.push(key);
    const changes = { ...merged, updated_at: this.#now(), updated_by: by.principal.name };
    await this.#store.updateTask(tx, row, row.revision, changes);
    await this.#store.setDependencies(tx, row.seq, task.dependencies);
    outcome.tasks.updated++;
  }

  async #findUnknownDependencies(tx: Tx): Promise<string[]> {
    const found: string[] = [];
    for (let after = 0; ; ) {
      const rows = await tx
        .selectFrom("task")
        .innerJoin("block", "block.seq", "task.block")
        .select(["task.seq", "task.id", "block.id as block_id"])
        .where("task.seq", ">", after)
        .orderBy("task.seq")
        .limit(batchSize)
        .execute();
      const meanings = await resolveDependencies(
        tx,
        rows.map(({ seq }) => seq),
      );
      for (const { seq, id, block_id } of rows)
        for (const { ref, status } of meanings.get(seq) ?? [])
          if (status === "unknown") found.push(describeUnknownDependency(taskKey(block_id, id), ref));
      if (rows.length < batchSize || found.length > maxNamed) break;
      after = rows.at(-1)?.seq ?? after;
    }
    return found.length > maxNamed ? [...found.slice(0, maxNamed), "There are more unknown dependencies."] : found;
  }
}

/** The name of a block that is not in the file cannot be used in it. */
function requireNames(blocks: readonly FileBlock[], before: ReadonlyMap<string, BlockRow>): void {
  const inFile = new Set(blocks.map(({ id }) => id));
  const others = new Map([...before.values()].flatMap(({ id, name }) => (inFile.has(id) ? [] : [[name, id]])));
  for (const { name } of blocks) {
    const other = others.get(name);
    if (other !== undefined) throw duplicateBlock("name", name, other, "others");
  }
}

/** The file's text, with the status that counts, and the commit and log that belong to it. */
function mergeTask({ name, status, commitId, document }: FileTask, row: TaskRow, statuses: StatusSource) {
  const own = toStatus(row.status);
  const isFilesStatus = statuses === "file" || statusOrder.indexOf(status) > statusOrder.indexOf(own);
  const { log } = parseTaskContent(row.document);
  const said = new Map(document);
  if (!isFilesStatus && log !== "") said.set("log", log);
  return {
    name,
    status: isFilesStatus ? status : own,
    commit_id: isFilesStatus || row.commit_id === "" ? commitId : row.commit_id,
    document: serializeDocument(`task ${visible(row.id)}`, said),
  };
}

async function describeCycles(tx: Tx): Promise<string[]> {
  return (await findCycles(tx)).map((path) => `Circular dependency: ${formatCycle(path)}.`);
}

function describeKept(kept: readonly string[]): string[] {
  if (kept.length === 0) return [];
  return [`Not in the file, and kept: ${joinNames(kept)}.`];
}

function describeReplaced(keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  return [`Changed on the board since the last import, and replaced by the file: ${joinNames(keys)}.`];
}

function joinNames(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return more > 0 ? `${names.slice(0, maxNamed).join(", ")} and ${more} more` : names.join(", ");
}
