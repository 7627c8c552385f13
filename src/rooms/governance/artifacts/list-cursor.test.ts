import { expect, test } from "vitest";
import { formatListCursor, parseListCursor } from "./list-cursor.ts";

test("a cursor is the place where a page ended", () => {
  const place = { artifact_type: "plan", key: "a" };
  expect(parseListCursor(formatListCursor(place))).toEqual(place);
  expect(parseListCursor(undefined)).toBeUndefined();
});

test.each([
  ["a NUL in the key", formatListCursor({ artifact_type: "plan", key: "a\0" })],
  ["a NUL in the type", formatListCursor({ artifact_type: "\0", key: "a" })],
  ["no place", Buffer.from('{"a":1}').toString("base64url")],
  ["no JSON", "abc"],
])("one with %s is refused", (_what, cursor) => {
  expect(() => parseListCursor(cursor)).toThrow("cursor");
});
