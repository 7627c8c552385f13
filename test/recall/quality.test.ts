import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Method, qualityOf, rankAll, readLabelled } from "../../bench/recall/quality.ts";

const model = join(import.meta.dirname, "../../src/platform/embed/model");
const set = readLabelled("labelled");

function mrr(method: Method, kind?: string): number {
  const ranks = rankAll(set, method).filter((_, index) => kind === undefined || set.queries[index]?.kind === kind);
  return qualityOf(ranks).mrr;
}

test("both rankings together find more than words or meaning alone", () => {
  expect(set.queries.length).toBeGreaterThanOrEqual(150);
  const both = mrr("both");
  expect(both).toBeGreaterThan(mrr("words"));
  expect(both).toBeGreaterThan(mrr("meaning"));
  expect(mrr("both", "identifier")).toBeGreaterThan(0.95);
});

test("paraphrases are found by meaning: far better than by words, and better than with vectors of fastText", () => {
  // scripts/encoder/baseline.py, on the same queries and the same text.
  const fastText = 0.456;
  expect(mrr("meaning", "paraphrase")).toBeGreaterThan(fastText * 1.1);
  expect(mrr("meaning", "paraphrase")).toBeGreaterThan(mrr("words", "paraphrase") * 3);
});

test("no query that is reported is among those that the weights were chosen with", () => {
  const tuned = new Set(readLabelled("tuning").queries.map(({ text }) => text.toLowerCase()));
  expect(set.queries.filter(({ text }) => tuned.has(text.toLowerCase()))).toEqual([]);
});

test("the encoder has at most 5 MB, and names every source with its licence and commit", () => {
  const size = ["encoder.bin", "vocabulary.txt"].reduce((sum, name) => sum + statSync(join(model, name)).size, 0);
  expect(size).toBeLessThanOrEqual(5_000_000);
  const notice = readFileSync(join(model, "NOTICE"), "utf8");
  const file = join(import.meta.dirname, "../../scripts/encoder/sources.json");
  const sources: { repository: string; licence: string }[] = JSON.parse(readFileSync(file, "utf8"));
  expect(sources.length).toBeGreaterThan(30);
  for (const { repository, licence } of sources) {
    const line = notice.split("\n").find((one) => one.split(/[\s*]/)[0] === repository);
    expect(line, repository).toContain(licence);
    expect(line, repository).toMatch(/\b[0-9a-f]{40}\b/);
  }
});
