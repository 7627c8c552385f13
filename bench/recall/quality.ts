/**
 * How well recall finds memories, by kind of query: by words alone, by meaning alone, and both as Forge does it.
 *
 *     npx tsx bench/recall/quality.ts [tuning]
 *
 * With `tuning` it uses the queries that weights are chosen with; no figure of those is reported.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StaticEncoder } from "../../src/platform/embed/static-encoder.ts";
import { MemoryScan } from "../../src/rooms/memory/recall/memory-scan.ts";
import { packRows } from "../../src/rooms/memory/recall/pack-rows.ts";
import { quantize } from "../../src/rooms/memory/recall/packed-vector.ts";
import { queryTerms } from "../../src/rooms/memory/recall/terms.ts";

export type LabelledQuery = { kind: string; text: string; right: number };

export type LabelledSet = { notes: string[]; queries: LabelledQuery[] };

export type Quality = { queries: number; recall5: number; mrr: number; ndcg10: number };

export type Method = "words" | "meaning" | "both";

const kinds: Record<string, string> = { p: "paraphrase", i: "identifier", e: "error text", q: "question" };
const depth = 50;

export function readLabelled(name: "labelled" | "tuning"): LabelledSet {
  const set: LabelledSet = { notes: [], queries: [] };
  for (const line of readFileSync(join(import.meta.dirname, `${name}.txt`), "utf8").split("\n")) {
    if (line.startsWith("= ")) set.notes.push(line.slice(2));
    const kind = kinds[/^([pieq]) /.exec(line)?.[1] ?? ""];
    if (kind !== undefined) set.queries.push({ kind, text: line.slice(2), right: set.notes.length - 1 });
  }
  return set;
}

/** The rank of the right memory for each query; undefined where it was not found. */
export function rankAll({ notes, queries }: LabelledSet, method: Method): (number | undefined)[] {
  const encoder = StaticEncoder.load();
  const scan = new MemoryScan();
  const embed = (text: string) => (method === "words" ? undefined : encoder.embed(text));
  scan.putAll(
    packRows(notes.map((text, seq) => ({ seq, type: "decisions", agent: "dev", text, vector: embed(text) }))),
  );
  return queries.map(({ text, right }) => {
    const embedded = embed(text);
    const vector = embedded && quantize(embedded);
    const terms = method === "meaning" ? [] : queryTerms(text);
    const found = scan.search({ vector, terms, type: undefined, agent: undefined }, depth);
    const rank = found.findIndex(({ seq }) => seq === right);
    return rank < 0 ? undefined : rank + 1;
  });
}

export function qualityOf(ranks: readonly (number | undefined)[]): Quality {
  const mean = (score: (rank: number) => number) =>
    ranks.reduce<number>((sum, rank) => sum + (rank === undefined ? 0 : score(rank)), 0) / ranks.length;
  return {
    queries: ranks.length,
    recall5: mean((rank) => (rank <= 5 ? 1 : 0)),
    mrr: mean((rank) => 1 / rank),
    ndcg10: mean((rank) => (rank <= 10 ? 1 / Math.log2(rank + 1) : 0)),
  };
}

function main(): void {
  const set = readLabelled(process.argv.includes("tuning") ? "tuning" : "labelled");
  console.log("| queries | n | method | recall@5 | MRR | nDCG@10 |\n|---|---|---|---|---|---|");
  const methods: Method[] = ["words", "meaning", "both"];
  const ranks = new Map(methods.map((method) => [method, rankAll(set, method)]));
  for (const kind of [...Object.values(kinds), "all"]) {
    for (const [method, all] of ranks) {
      const chosen = all.filter((_, index) => kind === "all" || set.queries[index]?.kind === kind);
      const { queries, recall5, mrr, ndcg10 } = qualityOf(chosen);
      const figures = [recall5, mrr, ndcg10].map((value) => value.toFixed(3)).join(" | ");
      console.log(`| ${kind} | ${queries} | ${method} | ${figures} |`);
    }
  }
}

if (process.argv[1]?.endsWith("quality.ts")) main();
