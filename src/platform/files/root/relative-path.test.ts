import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { parsePath, showPath } from "./relative-path.ts";

describe("paths that lead down", () => {
  test.each([
    ["src/main.ts", ["src", "main.ts"]],
    ["./src//main.ts", ["src", "main.ts"]],
    ["", []],
    [".", []],
    ["src/", ["src"]],
    ["...a/..b", ["...a", "..b"]],
    [".env", [".env"]],
    ["a b/é/日本/👩‍💻.md", ["a b", "é", "日本", "👩‍💻.md"]],
    ["[id]/(group)/@x/$y.tsx", ["[id]", "(group)", "@x", "$y.tsx"]],
    ["console.log", ["console.log"]],
    ["100%.txt", ["100%.txt"]],
    ["a~/b~c", ["a~", "b~c"]],
  ])("%j", (path, names) => {
    expect(parsePath(path)).toEqual(names);
  });
});

describe("D01 paths that might lead elsewhere are refused, on every system", () => {
  test.each([
    "..",
    "../x",
    "a/../../x",
    "a/..",
    "/etc/passwd",
    "//server/share",
    "\\\\server\\share",
    "..\\x",
    "a\\b",
    "C:x",
    "C:/x",
    "file.txt:stream",
    "a/b:$DATA",
    "~",
    "~/x",
    "~root/x",
    "a.",
    "a ",
    "a/... ",
    "a/...",
    "%2e%2e/x",
    "a/%2E%2e/b",
    "a%2fb",
    "a%5cb",
    "a%00",
    "a\0b",
    "a\nb",
    "a\u001b[31mb",
    "a\u0085b",
    "\ud800",
    "con",
    "CON.txt",
    "a/aux.c",
    "nul .txt",
    "com1",
    "LPT9.log",
    "com¹",
    "CONIN$",
    "x".repeat(256),
    "é".repeat(128),
    "a/".repeat(2100),
  ])("%j", (path) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });
});

const hostilePart = fc.oneof(
  fc.constantFrom("..", ".", "", "~", "C:", "\\", "..\\", "%2e", "\0", "a", " ", "\u200d", "con", "git~1", "/"),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
);
const hostilePath = fc.array(hostilePart, { maxLength: 8 }).map((parts) => parts.join("/"));

test("D01 whatever is given, the answer is names without a way up, or a clear refusal", () => {
  fc.assert(
    fc.property(hostilePath, (path) => {
      try {
        for (const name of parsePath(path)) expect(name).not.toMatch(/^\.{0,2}$|[/\\\0:]/);
      } catch (error) {
        expect(error).toBeInstanceOf(ForgeError);
      }
    }),
    { numRuns: 3000 },
  );
});

test("C04 a path in a message cannot steer a terminal or hide a part of itself", () => {
  const shown = showPath(`a\u001b[31m\u202e\u200b\u0085\n${"x".repeat(5000)}`);
  expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(shown.length).toBeLessThan(300);
});
