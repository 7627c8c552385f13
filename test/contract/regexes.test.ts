import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { checkSync } from "recheck";
import { parseAst } from "vite";
import { expect, test } from "vitest";

type Literal = { source: string; flags: string };

/** Every regular expression literal in a source, found in its syntax tree. */
function literals(code: string): Literal[] {
  const found: Literal[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (node && typeof node === "object") {
      const { regex } = node as { regex?: { pattern: string; flags: string } };
      if (regex) found.push({ source: regex.pattern, flags: regex.flags });
      else Object.values(node).forEach(walk);
    }
  };
  walk(parseAst(transformSync(code, { loader: "ts", format: "esm", target: "es2023" }).code));
  return found;
}

/** It tries texts by chance, and on some days calls one quadratic that is not; the same chance every day tells the same. */
const options = { timeout: 5000, randomSeed: 1 };
const isSafe = ({ source, flags }: Literal) => checkSync(source, flags, options).status !== "vulnerable";

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file));
const read = (file: string) => readFileSync(join("src", file), "utf8");

test("C14 the check itself finds a dangerous expression", () => {
  expect(literals("const a = /(a+)+$/;").map(isSafe)).toEqual([false]);
});

test("C14 no regular expression can be made to run away", () => {
  const found = files.flatMap((file) => literals(read(file)).map((literal) => ({ file, ...literal })));
  const all = new Map(found.map((literal) => [`/${literal.source}/${literal.flags}`, literal]));
  expect(all.size).toBeGreaterThan(10);
  expect([...all.values()].filter((literal) => !isSafe(literal))).toEqual([]);
}, 240_000);

test("C14 no expression is made of text that comes from outside", () => {
  // The one that is made at all is made of the colour codes beside it.
  expect(files.filter((file) => /\bRegExp\(/.test(read(file)))).toEqual(["platform/terminal/style.ts"]);
});
