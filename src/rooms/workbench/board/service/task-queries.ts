import { setImmediate as breath } from "node:timers/promises";
import type { Claims } from "../../../../commons/claims/index.ts";
import { areIndexed, askedWords, folded } from "../../../../commons/search/search-words.ts";
import type { TaskFilter, TaskPage, TaskStatus, TaskSummary } from "../../model/task-model.ts";
import { taskKey } from "../model/ids.ts";
import type { BoardStore, Db } from "../store/board-store.ts";
import { countsOf, totalCounts } from "../store/counts.ts";
import { numberedRows, placeOf, type SearchedRow, searchedRows, type TaskQuery, taskRows } from "../store/pages.ts";
import { otherRows, readyRows } from "../store/ready-tasks.ts";
import { type Counts, noTasks, type SummaryRow, statusFrom, summaryFrom } from "../store/rows.ts";
import { countMatching, matchingTasks, searchedTexts } from "../store/task-search.ts";
import { type Meaning, meaningsOf, writtenOnly } from "./resolve-dependencies.ts";

const usualPage = 50;
const batch = 200;
const mostWarnings = 10;

type Asked = TaskFilter & { blockSeq: number | undefined };

/** Lists of tasks with what stands between each and its execution. */
export class Looking {
  readonly #store: BoardStore;
  readonly #claims: Claims;

  constructor(store: BoardStore, claims: Claims) {
    this.#store = store;
    this.#claims = claims;
  }

  async page(db: Db, asked: Asked): Promise<TaskPage> {
    const { limit = usualPage, includeDependencies = true } = asked;
    const after = placeOf(asked.cursor);
    const query: TaskQuery = { block: asked.blockSeq, statuses: asked.status, after, limit: limit + 1 };
    const { rows, total } = await this.#found(db, query, asked);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1)?.seq : undefined;
    const { tasks, unknown } = await this.#summaries(db, shown, includeDependencies || asked.ready !== undefined);
    return {
      tasks,
      total,
      ...(last !== undefined && { nextCursor: String(last) }),
      warnings: unknown.slice(0, mostWarnings),
    };
  }

  async #found(db: Db, query: TaskQuery, asked: Asked): Promise<{ rows: SummaryRow[]; total: number }> {
    const { text = "", ready } = asked;
    const words = wordsOf(text);
    const isOfAll = ready === undefined && query.block === undefined && query.statuses === undefined;
    if (words.length > 0 && isOfAll && areIndexed(words)) return this.#indexed(db, query, words);
    if (words.length > 0) return this.#searched(db, query, words, ready);
    if (ready) return readyRows(db, this.#claims, query);
    const total = await this.#total(db, asked);
    if (ready === false) return otherRows(db, this.#claims, query, total);
    return { rows: await taskRows(db, query), total };
  }

  async #total(db: Db, { blockSeq, status }: Asked): Promise<number> {
    const counts: Counts =
      blockSeq === undefined ? await totalCounts(db) : ((await countsOf(db, [blockSeq])).get(blockSeq) ?? noTasks());
    const counted = new Set<TaskStatus>(status ?? ["pending", "in_progress", "completed", "failed"]);
    return [...counted].reduce((sum, name) => sum + counts[name], 0);
  }

  /** However many have the words, only the page is read. */
  async #indexed(db: Db, query: TaskQuery, words: readonly string[]) {
    const { engine } = this.#store.database;
    const rows = await numberedRows(db, query, await matchingTasks(db, engine, words, query));
    return { rows, total: await countMatching(db, engine, words) };
  }

  /** The index knows the beginnings of words; what stands around them is looked at. Others get their turn meanwhile. */
  async #searched(db: Db, query: TaskQuery, words: readonly string[], ready: boolean | undefined) {
    const rows: SummaryRow[] = [];
    let total = 0;
    for (let after: number | undefined = 0; after !== undefined; await breath()) {
      const { some, next } = await this.#candidates(db, { ...query, after, limit: batch }, words);
      const holding = some.filter((row) => holds(row, words));
      const fitting = ready === undefined ? holding : await this.#readyOnes(db, holding, ready);
      total += fitting.length;
      for (const row of fitting) if (row.seq > query.after && rows.length < query.limit) rows.push(row);
      after = next;
    }
    return { rows, total };
  }

  /** Of signs alone no index knows: they are looked for in every task. */
  async #candidates(db: Db, query: TaskQuery, words: readonly string[]) {
    const asked = askedWords(words.join(" "));
    const { engine } = this.#store.database;
    const seqs = asked.length === 0 ? undefined : await matchingTasks(db, engine, asked, query);
    const some = seqs ? await numberedRows(db, query, seqs) : await searchedRows(db, query);
    const places = seqs ?? some.map(({ seq }) => seq);
    return { some, next: places.length < query.limit ? undefined : places.at(-1) };
  }

  async #readyOnes(db: Db, rows: readonly SummaryRow[], wanted: boolean): Promise<SummaryRow[]> {
    const meanings = await meaningsOf(db, seqsOf(rows));
    const claims = await this.#claimsOn(db, rows);
    return rows.filter((row) => {
      const waits = waitsFor(row.status, meanings.get(row.seq) ?? [], claims.get(keyOf(row))?.holder);
      return (waits?.length === 0) === wanted;
    });
  }

  async #summaries(db: Db, rows: readonly SummaryRow[], whole: boolean) {
    const claims = await this.#claimsOn(db, rows);
    if (!whole) {
      const refs = await writtenOnly(db, seqsOf(rows));
      return {
        tasks: rows.map((row) => summaryFrom(row, claims.get(keyOf(row)), refs.get(row.seq) ?? [])),
        unknown: [],
      };
    }
    const meanings = await meaningsOf(db, seqsOf(rows));
    const unknown: string[] = [];
    const tasks = rows.map((row): TaskSummary => {
      const meant = meanings.get(row.seq) ?? [];
      const claim = claims.get(keyOf(row));
      const waits = waitsFor(row.status, meant, claim?.holder);
      for (const { ref, status } of meant) if (status === "unknown") unknown.push(unknownOne(keyOf(row), ref));
      return {
        ...summaryFrom(
          row,
          claim,
          meant.map(({ ref }) => ref),
        ),
        dependenciesStatus: statusesOf(meant),
        ready: waits?.length === 0,
        ...(waits && waits.length > 0 && { waitsFor: waits }),
      };
    });
    return { tasks, unknown };
  }

  #claimsOn(db: Db, rows: readonly SummaryRow[]) {
    return this.#claims.on(db, rows.map(keyOf));
  }
}

/** What a task waits for; undefined where it is done and waits for nothing any more. */
export function waitsFor(status: string, meant: readonly Meaning[], holder: string | undefined): string[] | undefined {
  if (statusFrom(status) === "completed") return undefined;
  const refs = meant.flatMap((meaning) => {
    if (meaning.status === "completed") return [];
    return [meaning.status === "unknown" ? `${meaning.ref} (unknown)` : meaning.ref];
  });
  return [...new Set(refs), ...(holder === undefined ? [] : [`claimed by ${holder}`])];
}

function holds(row: SearchedRow, words: readonly string[]): boolean {
  const all = folded(searchedTexts(row).join("\n"));
  return words.every((word) => all.includes(word));
}

function statusesOf(meant: readonly Meaning[]): Record<string, TaskStatus | "unknown"> {
  return Object.fromEntries(meant.map(({ ref, status }) => [ref, status]));
}

export function unknownOne(key: string, ref: string): string {
  return `${key} depends on "${ref}", which is no task's or block's id nor a block's name.`;
}

const keyOf = ({ block_id, id }: SummaryRow) => taskKey(block_id, id);
const seqsOf = (rows: readonly SummaryRow[]) => rows.map(({ seq }) => seq);

function wordsOf(text: string): string[] {
  return folded(text)
    .split(/\s+/)
    .filter((word) => word !== "");
}
