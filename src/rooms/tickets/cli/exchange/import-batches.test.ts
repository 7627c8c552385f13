import { expect, test } from "vitest";
import { splitBatches } from "./import-batches.ts";

const kilobyte = "x".repeat(1000);

function manyTickets(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => ({ id: `T-${index + 1}`, title: kilobyte })));
}

test("a long JSON array is split into parts of complete tickets, none of them long and none left out", () => {
  const batches = splitBatches(`\uFEFF ${manyTickets(1000)}`, undefined);
  expect(batches.length).toBeGreaterThan(2);
  expect(Math.max(...batches.map(({ text }) => text.length))).toBeLessThan(410_000);
  expect(batches.flatMap(({ text }) => JSON.parse(text))).toEqual(JSON.parse(manyTickets(1000)));
  expect(batches.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(1000);
  const [, first = "", last = ""] = /^tickets (\d+) to (\d+)$/.exec(batches[1]?.place ?? "") ?? [];
  expect(Number(first)).toBe((batches[0]?.tickets ?? 0) + 1);
  expect(Number(last)).toBe((batches[0]?.tickets ?? 0) + (batches[1]?.tickets ?? 0));
});

test("a ticket that is long by itself is a part of its own", () => {
  const tickets = [{ id: "A" }, { id: "B", title: "x".repeat(500_000) }, { id: "C" }];
  const batches = splitBatches(JSON.stringify(tickets), "json");
  expect(batches.map(({ place }) => place)).toEqual(["ticket 1", "ticket 2", "ticket 3"]);
});

test.each([
  ["broken JSON", `${manyTickets(1000)},`, undefined],
  ["one ticket", JSON.stringify({ title: "x".repeat(500_000) }), undefined],
  ["a short array", manyTickets(3), undefined],
  ["another format", `[ ] ${"x".repeat(500_000)}`, "markdown" as const],
])("%s stays one part", (_, text, format) => {
  expect(splitBatches(text, format)).toEqual([{ text, place: undefined, tickets: 1 }]);
});
