import { expect } from "vitest";
import { seededRandom, shuffled } from "../../../bench/statistics.ts";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { nameOf, Sweep } from "../../../test/harness/faults/sweep/sweep.ts";
import { sweepRows } from "../../../test/harness/faults/sweep/sweep-rows.ts";

const sampled = 2;

testWith(
  ["strace"],
  `J01 J02 killed or failing at any of its system calls, a durable operation leaves old or new (${sampled} points each; all: npm run sweep)`,
  async () => {
    const seed = Number(process.env["FORGE_TEST_SEED"] ?? Date.now() % 100_000);
    console.log(`sweep: FORGE_TEST_SEED=${seed}`);
    const sweep = new Sweep();
    try {
      const all = shuffled(await sweep.points(), seededRandom(seed));
      // Of every operation as many.
      const points = sweepRows.flatMap((row) => all.filter((point) => point.row === row).slice(0, sampled));
      const results = [];
      for (const point of points) results.push(await sweep.check(point));
      const wrong = results.filter(({ faults }) => faults.length > 0);
      expect(wrong.map(({ point, faults }) => `${nameOf(point)}: ${faults.join("; ")}`)).toEqual([]);
      expect(results.filter(({ hit }) => hit).length).toBeGreaterThan(points.length * 0.9);
    } finally {
      sweep.dispose();
    }
  },
  180_000,
);
