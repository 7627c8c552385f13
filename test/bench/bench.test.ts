import { expect, test } from "vitest";
import { Rounds } from "../../bench/rounds.ts";
import { missedTargets, type Row, verdict } from "../../bench/row.ts";

test("a ratio is taken within each round, and the middle one of them counts", () => {
  const rounds = new Rounds<number>();
  for (const [ours, floor] of [
    [20, 10],
    [900, 300],
    [40, 10],
  ] as const) {
    rounds.add("ours", ours);
    rounds.add("floor", floor);
  }
  expect(rounds.ratio("ours", "floor", (sample) => sample)).toBe(3);
  expect(rounds.over("ours", "floor", (sample) => sample)).toBe(30);
  expect(rounds.median("ours", (sample) => sample)).toBe(40);
  expect(rounds.ratio("ours", "nobody", (sample) => sample)).toBeUndefined();
});

test("a verdict needs a goal and a figure", () => {
  const row: Row = { id: "x", what: "x", unit: "ms", forge: 3, against: "floor", other: 2, ratio: 1.5, over: 1 };
  expect(verdict(row)).toBe("for information");
  expect(verdict({ ...row, goal: { kind: "target", atMost: 1.5 } })).toBe("pass");
  expect(verdict({ ...row, goal: { kind: "aim", atMost: 1.4 } })).toBe("miss");
  expect(verdict({ ...row, goal: { kind: "target", atLeast: 1.6 } })).toBe("miss");
  expect(verdict({ ...row, goal: { kind: "target", atMostOver: 1 } })).toBe("pass");
  expect(verdict({ ...row, goal: { kind: "target", atMostOver: 0.9 } })).toBe("miss");
  expect(verdict({ ...row, ratio: undefined, goal: { kind: "target", atMost: 1 } })).toBe("not measured");
});

test("only a missed target is a failure, not an aim, nor what was not measured", () => {
  const row = { what: "x", unit: "ms", forge: 3, against: "floor", other: 2, ratio: 1.5, over: 1 } as const;
  const rows: Row[] = [
    { ...row, id: "kept", goal: { kind: "target", atMost: 2 } },
    { ...row, id: "missed", goal: { kind: "target", atMost: 1 } },
    { ...row, id: "aimed", goal: { kind: "aim", atMost: 1 } },
    { ...row, id: "unknown", ratio: undefined, goal: { kind: "target", atMost: 1 } },
    { ...row, id: "information" },
  ];
  expect(missedTargets(rows).map(({ id }) => id)).toEqual(["missed"]);
});
