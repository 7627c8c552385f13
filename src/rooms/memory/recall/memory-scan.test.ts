import fc from "fast-check";
import { expect, test } from "vitest";
import { FreshScan } from "./fresh-scan.ts";
import { MemoryScan } from "./memory-scan.ts";
import { packRows } from "./pack-rows.ts";
import { quantize } from "./packed-vector.ts";
import { queryTerms } from "./terms.ts";

const words = ["alpha", "bravo", "charlie", "delta", "echo"];
const word = fc.constantFrom(...words);
const change = fc.record({ seq: fc.integer({ min: 1, max: 6 }), said: fc.option(fc.array(word, { maxLength: 8 })) });

type Entry = { seq: number; text: string; vector?: Float32Array };

function rowsOf(entries: readonly Entry[]) {
  return packRows(entries.map(({ vector, ...entry }) => ({ type: "decisions", agent: "dev", ...entry, vector })));
}

test("whatever is stored, replaced and removed: exactly the memories that have a word are found by it", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), word, (changes, wanted) => {
      const scan = new MemoryScan();
      const stored = new Map<number, string[]>();
      for (const { seq, said } of changes) {
        if (said === null) {
          scan.remove(seq);
          stored.delete(seq);
        } else {
          // A word of its own keeps near-duplicates apart.
          const text = [...said, ...Array.from({ length: 9 }, (_, at) => `own${seq}x${at}`)];
          scan.putAll(rowsOf([{ seq, text: text.join(" ") }]));
          stored.set(seq, text);
        }
      }
      const query = { vector: undefined, terms: queryTerms(wanted), type: undefined, agent: undefined };
      const found = scan.search(query, 50).map(({ seq }) => seq);
      const expected = [...stored].filter(([, text]) => text.includes(wanted)).map(([seq]) => seq);
      expect(found.sort()).toEqual(expected.sort());
      expect(scan.size).toBe(stored.size);
    }),
  );
});

test("a vector of another length counts as none", () => {
  const scan = new MemoryScan();
  const [alpha, bravo] = [Float32Array.of(1, 0), Float32Array.of(1, 0, 0)];
  scan.putAll(
    rowsOf([
      { seq: 1, text: "alpha", vector: alpha },
      { seq: 2, text: "bravo", vector: bravo },
    ]),
  );
  expect(scan.unembedded).toBe(1);
  const vector = quantize(Float32Array.of(1, 0));
  const found = scan.search({ vector, terms: [], type: undefined, agent: undefined }, 5);
  expect(found.map(({ seq }) => seq)).toEqual([1]);
  scan.putAll(rowsOf([{ seq: 2, text: "bravo", vector: Float32Array.of(0, 1) }]));
  expect(scan.unembedded).toBe(0);
});

test("the cosine is that of the vectors, whatever their length", () => {
  const byte = fc.integer({ min: -127, max: 127 });
  const pair = fc.integer({ min: 1, max: 40 }).chain((length) => {
    const vector = fc.array(byte, { minLength: length, maxLength: length }).filter((values) => values.some(Boolean));
    return fc.tuple(vector, fc.array(vector, { minLength: 1, maxLength: 5 }));
  });
  fc.assert(
    fc.property(pair, ([wanted, stored]) => {
      const scan = new MemoryScan();
      const entries = stored.map((values, seq) => ({ seq, text: `own${seq}`, vector: Float32Array.from(values) }));
      scan.putAll(rowsOf([{ seq: -1, text: "none" }, ...entries]));
      const vector = quantize(Float32Array.from(wanted));
      const query = { vector, terms: [], type: undefined, agent: undefined };
      for (const { seq, cosine } of scan.search(query, 50)) {
        const other = quantize(Float32Array.from(stored[seq] ?? []));
        const product = other.values.reduce((sum, value, at) => sum + value * (vector.values[at] ?? 0), 0);
        expect(cosine).toBeCloseTo(product * other.factor * vector.factor, 5);
      }
    }),
  );
});

test("memories that change all the time do not fill the memory: everything is read again now and then", async () => {
  const reads: number[] = [];
  let change = 0;
  const rows = packRows(
    Array.from({ length: 4_000 }, (_, seq) => ({ seq, type: "stories", agent: "dev", text: "x", vector: undefined })),
  );
  const store = {
    currentChange: async () => ++change,
    changedSince: async (since: number) => {
      reads.push(since);
      return { ...rows, gone: [], change };
    },
  };
  const scans = new FreshScan(store, "m");
  for (let round = 0; round < 5; round++) expect((await scans.refresh()).size).toBe(4_000);
  expect(reads).toEqual([0, 1, 2, 3, 0]);
});
