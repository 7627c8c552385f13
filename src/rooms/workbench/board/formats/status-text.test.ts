import { expect, test } from "vitest";
import { formatStatus, parseStatus, stripStatus } from "./status-text.ts";

test.each([
  ["", "pending"],
  ["TODO", "pending"],
  ["[TODO]", "pending"],
  ["[todo]", "pending"],
  ["pending", "pending"],
  ["[IN-PROGRESS]", "in_progress"],
  ["[In_Progress]", "in_progress"],
  ["in progress", "in_progress"],
  ["[COMPLETED]", "completed"],
  [" completed ", "completed"],
  ["[COMPLETED] [FAILED]", "failed"],
  ["merged [COMPLETED] yesterday", "completed"],
  ["[FAILED]", "failed"],
  ["[maybe]", undefined],
  ["later", undefined],
  ["constructor", undefined],
])("a file's status %j is %s", (text, status) => {
  expect(parseStatus(text)).toBe(status);
});

test.each([
  ["Do it [COMPLETED]", "Do it", "completed"],
  ["Do it\n[FAILED]\n\n[in-progress] ", "Do it", "in_progress"],
  ["Do it [COMPLETED] now", "Do it [COMPLETED] now", undefined],
  ["See [1]", "See [1]", undefined],
  ["  Do it  ", "  Do it  ", undefined],
  ["[TODO]", "", "pending"],
])("a description %j is %j with the status %s", (description, text, status) => {
  expect(stripStatus(description)).toEqual({ text, status });
});

test("what is written is read again", () => {
  for (const status of ["pending", "in_progress", "completed", "failed"] as const)
    expect(parseStatus(formatStatus(status))).toBe(status);
});
