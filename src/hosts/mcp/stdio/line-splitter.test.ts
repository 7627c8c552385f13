import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Line, LineSplitter } from "./line-splitter.ts";

const limit = 2048;

function split(chunks: Uint8Array[]): Line[] {
  const splitter = new LineSplitter(limit);
  return [...chunks.flatMap((chunk) => [...splitter.push(Buffer.from(chunk))]), ...splitter.end()];
}

function cutAt(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

/** Streams with short and long lines, newlines anywhere, and bytes that are no text. */
const stream = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
      fc.constant(new Uint8Array([10])),
      fc.integer({ min: 2000, max: 7000 }).map((length) => new Uint8Array(length).fill(97)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

describe("cutting a stream into lines", () => {
  test("any chunking of any stream gives the same lines", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 30 }), (bytes, places) => {
        expect(split(cutAt(bytes, places))).toEqual(split([bytes]));
      }),
      { numRuns: 500 },
    );
  });

  test("short lines are what lies between the newlines; long ones are known by their ends", () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        const pieces = bytes.toString("latin1").split("\n");
        if (pieces.at(-1) === "") pieces.pop();
        const lines = split([bytes]);
        expect(lines).toHaveLength(pieces.length);
        for (const [index, piece] of pieces.entries()) {
          expectLine(lines[index], Buffer.from(piece, "latin1"));
        }
      }),
    );
  });

  test("a line that is not UTF-8 is no text", () => {
    const line = Buffer.from('{"id":1,"x":"caf\xe9"}', "latin1");
    expect(split([line])).toMatchObject([{ fault: "not-utf8", head: expect.stringContaining('"id":1') }]);
  });

  test("a line of exactly the limit is kept, one byte more is not", () => {
    expect(split([Buffer.alloc(limit, "a")])).toEqual([{ text: "a".repeat(limit) }]);
    expect(split([Buffer.alloc(limit + 1, "a")])).toMatchObject([{ fault: "too-long" }]);
  });
});

function expectLine(line: Line | undefined, whole: Buffer): void {
  if (line && "text" in line) {
    expect(line.text).toBe(whole.toString("utf8"));
    return;
  }
  const fault = whole.length > limit ? "too-long" : "not-utf8";
  if (fault === "not-utf8") expect(isUtf8(whole)).toBe(false);
  const [head, tail] = [whole.subarray(0, 512).toString("utf8"), whole.subarray(-512).toString("utf8")];
  expect(line).toEqual({ fault, head, tail });
}
