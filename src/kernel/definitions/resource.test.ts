import { expect, test } from "vitest";
import { matchUri } from "./resource.ts";

test.each([
  ["forge://tickets/{id}", "forge://tickets/T-001", { id: "T-001" }],
  ["forge://tickets/{id}", "forge://tickets/a%2Fb", { id: "a/b" }],
  ["forge://tickets/{id}", "forge://tickets/%E0%A4%A", { id: "%E0%A4%A" }],
  ["forge://tickets/{id}", "forge://tickets/", undefined],
  ["forge://tickets/{id}", "forge://tickets/a/b", undefined],
  ["forge://tickets/{id}", "forge://other/a", undefined],
  ["test://template/{id}/data", "test://template/7/data", { id: "7" }],
])("%s and %s", (template, uri, variables) => {
  expect(matchUri(template, uri)).toEqual(variables);
});
