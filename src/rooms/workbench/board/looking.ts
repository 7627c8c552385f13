import { setImmediate as breath } from "node:timers/promises";
import type { Claims } from "../../../commons/claims/index.ts";
import type { TaskFilter, TaskPage, TaskStatus, TaskSummary } from "../model.ts";
import { countsOf, totalCounts } from "./counts.ts";
import { taskContentFrom } from "./documents.ts";
import { taskKey } from "./ids.ts";
import { type Meaning, meaningsOf, writtenOnly } from "./meanings.ts";
import { placeOf, searchedRows, type TaskQuery, taskRows } from "./pages.ts";
import { type Counts, noTasks, type SummaryRow, statusFrom, summaryFrom } from "./rows.ts";
import type { BoardStore, Db } from "./store.ts";

const usualPage = 50;
const batch = { light: 1_000, heavy: 200 };
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
    const { rows, total } =
      wordsOf(asked.text ?? "").length === 0 && asked.ready === undefined
        ? { rows: await taskRows(db, query), total: await this.#total(db, asked) }
        : await this.#sifted(db, query, asked);
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

  async #total(db: Db, { blockSeq, status }: Asked): Promise<number> {
    const counts: Counts =
      blockSeq === undefined ? await totalCounts(db) : ((await countsOf(db, [blockSeq])).get(blockSeq) ?? noTasks());
    const counted = new Set<TaskStatus>(status ?? ["pending", "in_progress", "completed", "failed"]);
    return [...counted].reduce((sum, name) => sum + counts[name], 0);
  }

  /** What no index knows has to be looked at one by one; others get their turn meanwhile. */
  async #sifted(db: Db, query: TaskQuery, { text, ready }: Asked): Promise<{ rows: SummaryRow[]; total: number }> {
    const words = wordsOf(text ?? "");
    const limit = words.length === 0 ? batch.light : batch.heavy;
    const rows: SummaryRow[] = [];
    let total = 0;
    for (let after = 0; ; await breath()) {
      const some = await this.#batch(db, { ...query, after, limit }, words);
      const fitting = ready === undefined ? some.fitting : await this.#readyOnes(db, some.fitting, ready);
      total += fitting.length;
      for (const row of fitting) if (row.seq > query.after && rows.length < query.limit) rows.push(row);
      if (some.last === undefined) return { rows, total };
      after = some.last;
    }
  }

  async #batch(db: Db, query: TaskQuery, words: readonly string[]) {
    if (words.length === 0) {
      const rows = await taskRows(db, query);
      return { fitting: rows, last: rows.length < query.limit ? undefined : rows.at(-1)?.seq };
    }
    const plain = words.filter((word) => /^[a-z0-9]+$/.test(word));
    const rows = await searchedRows(db, query, plain, this.#store.database.engine);
    const fitting: SummaryRow[] = rows.filter((row) => {
      const { description, acceptance_criteria, files_affected, log: _, ...others } = taskContentFrom(row.document);
      const said = [row.id, row.name, description, ...acceptance_criteria, ...files_affected];
      const all = [...said, ...others.function_signatures, ...others.testing_requirements].join("\n").toLowerCase();
      return words.every((word) => all.includes(word));
    });
    return { fitting, last: rows.length < query.limit ? undefined : rows.at(-1)?.seq };
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

function statusesOf(meant: readonly Meaning[]): Record<string, TaskStatus | "unknown"> {
  return Object.fromEntries(meant.map(({ ref, status }) => [ref, status]));
}

export function unknownOne(key: string, ref: string): string {
  return `${key} depends on "${ref}", which is no task's or block's id nor a block's name.`;
}

const keyOf = ({ block_id, id }: SummaryRow) => taskKey(block_id, id);
const seqsOf = (rows: readonly SummaryRow[]) => rows.map(({ seq }) => seq);

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}
