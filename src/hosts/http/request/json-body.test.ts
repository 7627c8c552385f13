import { expect, test, vi } from "vitest";
import { parseBody } from "./json-body.ts";

const many = (unit: string) => `[${Array(300_000).fill(unit).join(",")}`;

test("K06 a body with too many elements is refused before it is parsed, valid or not", () => {
  const parse = vi.spyOn(JSON, "parse");
  for (const body of [`${many("[]")}]`, many("[]"), `${many("1")}]`, "[".repeat(1_000_000)])
    expect(() => parseBody(body)).toThrow("the number of elements is over 10000 elements");
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test("commas and brackets in a text are no elements", () => {
  const body = { text: `${",[{".repeat(20_000)}\\"`, "a\\": ["\\", ",".repeat(20_000)] };
  expect(parseBody(JSON.stringify(body))).toEqual(body);
  const full = Array.from({ length: 9_999 }, () => [",".repeat(3)]);
  expect(parseBody(JSON.stringify(full))).toEqual(full);
});
