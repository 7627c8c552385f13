import { expect, test } from "vitest";
import { findCycle } from "./find-cycle.ts";

/** Looks up in a list, and counts what was asked for. */
function waiting(needs: Record<string, string[]>) {
  const asked: string[] = [];
  const lookUp = async (ids: readonly string[]) => {
    asked.push(...ids);
    return new Map(ids.flatMap((id) => (needs[id] ? [[id, needs[id]] as const] : [])));
  };
  return { asked, lookUp };
}

test("a ticket that would wait for itself, at once or through others, is told the shortest way", async () => {
  const { lookUp } = waiting({ a: ["b", "c"], b: ["d"], c: ["own"], d: ["own"] });
  expect(await findCycle("own", ["own"], lookUp)).toEqual(["own", "own"]);
  expect(await findCycle("own", ["a"], lookUp)).toEqual(["own", "a", "c", "own"]);
  expect(await findCycle("own", ["gone", "d"], lookUp)).toEqual(["own", "d", "own"]);
});

test("others that wait for each other are no cycle of its own", async () => {
  const { lookUp, asked } = waiting({ a: ["b"], b: ["a", "gone"] });
  expect(await findCycle("own", ["a"], lookUp)).toBeUndefined();
  expect(asked).toEqual(["a", "b", "gone"]);
});

test("a thousand tickets that all wait for each other are looked at once each", async () => {
  const ids = Array.from({ length: 1_500 }, (_, index) => `C-${index}`);
  const { lookUp, asked } = waiting(Object.fromEntries(ids.map((id, at) => [id, ids.slice(0, at + 2)])));
  // Of this process alone: however busy the machine is, it is the same.
  const { user } = process.cpuUsage();
  expect(await findCycle("own", ["C-0"], lookUp)).toBeUndefined();
  expect(asked).toEqual(ids.slice(0, 1_000));
  // With a list of the way to each it takes half a minute and gigabytes.
  expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
});
