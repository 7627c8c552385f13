import { expect, test } from "vitest";
import type { TicketContent } from "../model/ticket.ts";
import { readFileChanges } from "./file-changes.ts";

type Changes = TicketContent["fileChanges"];

test.each<[string, unknown, Changes]>([
  ["entries", [{ path: "a", action: "create", notes: "n" }], [{ path: "a", action: "create", notes: "n" }]],
  [
    "paths",
    [" a ", "b"],
    [
      { path: "a", action: "modify" },
      { path: "b", action: "modify" },
    ],
  ],
  ["one path twice", [{ path: "a", action: "delete" }, "a "], [{ path: "a", action: "delete" }]],
  [
    "a pattern and suggestions",
    [{ path: "a", pattern: "p", suggestedChanges: ["x", "y"] }],
    [{ path: "a", action: "modify", notes: "p\n- x\n- y" }],
  ],
  ["notes before a pattern", [{ path: "a", notes: "n", pattern: "p" }], [{ path: "a", action: "modify", notes: "n" }]],
  ["a layer of its own", [{ path: "a", layer: "backend" }], [{ path: "a", action: "modify", layer: "backend" }]],
  [
    "lists by action",
    { create: ["a"], modify: [{ path: "b" }], delete: ["c"] },
    [
      { path: "a", action: "create" },
      { path: "b", action: "modify" },
      { path: "c", action: "delete" },
    ],
  ],
  ["JSON in a text", '[{"path":"a","action":"new"}]', [{ path: "a", action: "create" }]],
  [
    "what is none",
    [null, 0.5, {}, { path: "" }, { path: "x".repeat(4097) }, [], true],
    [{ path: "0.5", action: "modify" }],
  ],
])("file changes from %s", (_what, fileChanges, changes) => {
  expect(readFileChanges({ fileChanges }, {})).toEqual(changes);
});

test.each([
  ["create", "create"],
  ["Add", "create"],
  [" NEW ", "create"],
  ["update", "modify"],
  ["edit", "modify"],
  ["Remove", "delete"],
  ["DELETE", "delete"],
  ["rename", "modify"],
  ["constructor", "modify"],
  [7, "modify"],
])("the action %s is %s", (action, meant) => {
  expect(readFileChanges({ fileChanges: [{ path: "a", action }] }, {})).toEqual([{ path: "a", action: meant }]);
});

test("the first place that names any is taken: top level, files, layers, the solution's", () => {
  const solution = { fileChanges: { create: ["in-solution"] } };
  const layeredFileChanges = { backend: [{ path: "in-layers", action: "create" }], frontend: { delete: ["old"] } };
  const fileChanges = [{ path: "in-spec", action: "create" }];
  const paths = (top: unknown, spec: Record<string, unknown>) =>
    readFileChanges({ fileChanges: top }, spec).map(({ path }) => path);
  expect(paths(["top"], { solution, layeredFileChanges, fileChanges })).toEqual(["top"]);
  expect(paths([], { solution, layeredFileChanges, fileChanges })).toEqual(["in-spec"]);
  expect(paths(undefined, { solution, fileChanges: [null] })).toEqual(["in-solution"]);
  expect(paths(null, { solution: JSON.stringify(solution) })).toEqual(["in-solution"]);
  expect(readFileChanges({}, { solution, layeredFileChanges, fileChanges: [] })).toEqual([
    { path: "in-layers", action: "create", layer: "backend" },
    { path: "old", action: "delete", layer: "frontend" },
  ]);
});
