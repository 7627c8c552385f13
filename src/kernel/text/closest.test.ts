import { expect, test } from "vitest";
import { anyOf, didYouMean, findClosest } from "./closest.ts";

const commands = ["up", "mcp", "toolsets", "log", "repository", "version", "help"];

test.each([
  ["tolsets", ["toolsets"]],
  ["toolstes", ["toolsets"]],
  ["TOOLSETS", ["toolsets"]],
  ["repo", ["repository"]],
  ["lgo", ["log"]],
  ["verison", ["version"]],
  ["hlep", ["help"]],
  ["frobnicate", []],
  ["", []],
])("%j is most like %j", (word, expected) => {
  expect(findClosest(word, commands)).toEqual(expected);
});

test("at most three are offered, the nearest first", () => {
  expect(findClosest("cut", ["cup", "but", "cute", "cat"])).toEqual(["cute", "cup", "but"]);
});

test("a very long word costs little and is like nothing", () => {
  expect(findClosest("x".repeat(1_000_000), commands)).toEqual([]);
});

test("names in a sentence", () => {
  expect([anyOf([]), anyOf(["a"]), anyOf(["a", "b"]), anyOf(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a or b",
    "a, b or c",
  ]);
  expect(didYouMean("loh", commands)).toEqual(["Did you mean `log`?"]);
  expect(didYouMean("frobnicate", commands)).toEqual([]);
});
