import { setImmediate as breath } from "node:timers/promises";
import type { Claims } from "../../../../commons/claims/index.ts";
import { foldShown, foldText, isIndexed, parseQueryWords } from "../../../../commons/search/words.ts";
import { pageOf, parseCursor } from "../../../../kernel/page.ts";
import type { TaskFilter, TaskPage, TaskStatus, TaskSummary } from "../../model/task-model.ts";
import { taskKey } from "../model/ids.ts";
import type { BoardStore, Db } from "../store/board-store.ts";
import { readBlockCounts, readTotalCounts } from "../store/counts.ts";
import { readRowsBySeq, readSearchRows, readTaskRows, type SearchRow, type TaskQuery } from "../store/pages.ts";
import { readReadyRows, readUnreadyRows } from "../store/ready-tasks.ts";
import { type Counts, createCounts, type SummaryRow, toStatus, toSummary } from "../store/rows.ts";
import { countMatching, findMatching, searchableTexts } from "../store/task-search.ts";
import { type ResolvedDependency, readDependencyRefs, resolveDependencies } from "./resolve-dependencies.ts";

const defaultPageSize = 50;
const batchSize = 200;
const maxWarnings = 10;

type TaskPageRequest = TaskFilter & { blockSeq: number | undefined };

/** Lists of tasks, with what each of them waits for. */
export class TaskQueries {
  readonly #store: BoardStore;
  readonly #claims: Claims;

  constructor(store: BoardStore, claims: Claims) {
    this.#store = store;
    this.#claims = claims;
  }

  async page(db: Db, asked: TaskPageRequest): Promise<TaskPage> {
    const { limit = defaultPageSize, includeDependencies = true } = asked;
    const after = parseCursor(asked.cursor) ?? 0;
    const query: TaskQuery = { block: asked.blockSeq, statuses: asked.status, after, limit: limit + 1 };
    const { rows, total } = await this.#findRows(db, query, asked);
    const { items: shown, ...next } = pageOf(rows, limit, ({ seq }) => seq);
    const { tasks, unknown } = await this.#summarize(db, shown, includeDependencies || asked.ready !== undefined);
    return {
      tasks,
      total,
      ...next,
      warnings: unknown.slice(0, maxWarnings),
      next: [],
    };
  }

  async #findRows(db: Db, query: TaskQuery, asked: TaskPageRequest): Promise<{ rows: SummaryRow[]; total: number }> {
    const { text = "", ready } = asked;
    const words = splitWords(text);
    const isOfAll = ready === undefined && query.block === undefined && query.statuses === undefined;
    if (words.length > 0 && isOfAll && isIndexed(words)) return this.#findIndexed(db, query, words);
    if (words.length > 0) return this.#scanForWords(db, query, words, ready);
    if (ready) return readReadyRows(db, this.#claims, query);
    const total = await this.#countTasks(db, asked);
    if (ready === false) return readUnreadyRows(db, this.#claims, query, total);
    return { rows: await readTaskRows(db, query), total };
  }

  async #countTasks(db: Db, { blockSeq, status }: TaskPageRequest): Promise<number> {
    const counts: Counts =
      blockSeq === undefined
        ? await readTotalCounts(db)
        : ((await readBlockCounts(db, [blockSeq])).get(blockSeq) ?? createCounts());
    const counted = new Set<TaskStatus>(status ?? ["pending", "in_progress", "completed", "failed"]);
    return [...counted].reduce((sum, name) => sum + counts[name], 0);
  }

  /** Reads only the page, however many tasks match. */
  async #findIndexed(db: Db, query: TaskQuery, words: readonly string[]) {
    const { engine } = this.#store.database;
    const rows = await readRowsBySeq(db, query, await findMatching(db, engine, words, query));
    return { rows, total: await countMatching(db, engine, words) };
  }

  /** The index knows the beginnings of words only; the rest is compared here. Lets others run in between. */
  async #scanForWords(db: Db, query: TaskQuery, words: readonly string[], ready: boolean | undefined) {
    const rows: SummaryRow[] = [];
    let total = 0;
    for (let after: number | undefined = 0; after !== undefined; await breath()) {
      const { some, next } = await this.#readCandidates(db, { ...query, after, limit: batchSize }, words);
      const holding = some.filter((row) => containsWords(row, words));
      const fitting = ready === undefined ? holding : await this.#filterReady(db, holding, ready);
      total += fitting.length;
      for (const row of fitting) if (row.seq > query.after && rows.length < query.limit) rows.push(row);
      after = next;
    }
    return { rows, total };
  }

  /** The index has no punctuation, so a query of that alone is looked for in every task. */
  async #readCandidates(db: Db, query: TaskQuery, words: readonly string[]) {
    const asked = parseQueryWords(words.join(" "));
    const { engine } = this.#store.database;
    const seqs = asked.length === 0 ? undefined : await findMatching(db, engine, asked, query);
    const some = seqs ? await readRowsBySeq(db, query, seqs) : await readSearchRows(db, query);
    const places = seqs ?? some.map(({ seq }) => seq);
    return { some, next: places.length < query.limit ? undefined : places.at(-1) };
  }

  async #filterReady(db: Db, rows: readonly SummaryRow[], wanted: boolean): Promise<SummaryRow[]> {
    const meanings = await resolveDependencies(db, seqsOf(rows));
    const claims = await this.#readClaims(db, rows);
    return rows.filter((row) => {
      const waits = listUnmet(row.status, meanings.get(row.seq) ?? [], claims.get(keyOf(row))?.holder);
      return (waits?.length === 0) === wanted;
    });
  }

  async #summarize(db: Db, rows: readonly SummaryRow[], whole: boolean) {
    const claims = await this.#readClaims(db, rows);
    if (!whole) {
      const refs = await readDependencyRefs(db, seqsOf(rows));
      return {
        tasks: rows.map((row) => toSummary(row, claims.get(keyOf(row)), refs.get(row.seq) ?? [])),
        unknown: [],
      };
    }
    const meanings = await resolveDependencies(db, seqsOf(rows));
    const unknown: string[] = [];
    const tasks = rows.map((row): TaskSummary => {
      const meant = meanings.get(row.seq) ?? [];
      const claim = claims.get(keyOf(row));
      const waits = listUnmet(row.status, meant, claim?.holder);
      for (const { ref, status } of meant)
        if (status === "unknown") unknown.push(describeUnknownDependency(keyOf(row), ref));
      return {
        ...toSummary(
          row,
          claim,
          meant.map(({ ref }) => ref),
        ),
        dependenciesStatus: statusesByRef(meant),
        ready: waits?.length === 0,
        ...(waits && waits.length > 0 && { waitsFor: waits }),
      };
    });
    return { tasks, unknown };
  }

  #readClaims(db: Db, rows: readonly SummaryRow[]) {
    return this.#claims.on(db, rows.map(keyOf));
  }
}

/** What a task waits for; undefined if it is completed. */
export function listUnmet(
  status: string,
  meant: readonly ResolvedDependency[],
  holder: string | undefined,
): string[] | undefined {
  if (toStatus(status) === "completed") return undefined;
  const refs = meant.flatMap((meaning) => {
    if (meaning.status === "completed") return [];
    return [meaning.status === "unknown" ? `${meaning.ref} (unknown)` : meaning.ref];
  });
  return [...new Set(refs), ...(holder === undefined ? [] : [`claimed by ${holder}`])];
}

function containsWords(row: SearchRow, words: readonly string[]): boolean {
  const all = foldShown(searchableTexts(row).join("\n"));
  return words.every((word) => all.includes(word));
}

function statusesByRef(meant: readonly ResolvedDependency[]): Record<string, TaskStatus | "unknown"> {
  return Object.fromEntries(meant.map(({ ref, status }) => [ref, status]));
}

export function describeUnknownDependency(key: string, ref: string): string {
  return `${key} depends on "${ref}", which matches no task or block.`;
}

const keyOf = ({ block_id, id }: SummaryRow) => taskKey(block_id, id);
const seqsOf = (rows: readonly SummaryRow[]) => rows.map(({ seq }) => seq);

function splitWords(text: string): string[] {
  return foldText(text)
    .split(/\s+/)
    .filter((word) => word !== "");
}
