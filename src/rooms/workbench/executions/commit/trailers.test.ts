import { expect, test } from "vitest";
import type { Execution } from "../../model/execution-model.ts";
import { createTrailers } from "./trailers.ts";

const taskTrailer = (blockId: string, taskId: string) =>
  createTrailers({ withoutSecrets: (text) => text }, { id: "exec_1", blockId, taskId } as Execution)["Forge-Task"];

test("tasks whose ids differ have trailers that differ, each on one line", () => {
  const ids: [string, string][] = [
    ["b", "a b"],
    ["b", "a-b"],
    ["b", "a%20b"],
    ["b", "a\nb"],
    ["b", " a b"],
    ["b/a", "b"],
    ["b", "a/b"],
  ];
  const trailers = ids.map(([block, task]) => taskTrailer(block, task));
  expect(new Set(trailers).size).toBe(ids.length);
  expect(trailers.join("")).not.toMatch(/\s/);
  expect(taskTrailer("b1", "t1")).toBe("b1/t1");
});
