import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { checkSync } from "recheck";
import { parseAst } from "vite";

export type Expression = { file: string; source: string; flags: string };

/** Hashes of expressions that were checked and are safe. The check takes about a quarter of a second for each. */
export const safeExpressionsFile = "test/contract/safe-expressions.json";

/** Every regular expression literal in a source, found in its syntax tree. */
export function expressionsIn(file: string, code: string): Expression[] {
  const found: Expression[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (node && typeof node === "object") {
      const { regex } = node as { regex?: { pattern: string; flags: string } };
      if (regex) found.push({ file, source: regex.pattern, flags: regex.flags });
      else Object.values(node).forEach(walk);
    }
  };
  walk(parseAst(transformSync(code, { loader: "ts", format: "esm", target: "es2023" }).code));
  return found;
}

export function sourceFiles(): string[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file));
}

/** Every expression of the program, once. */
export function allExpressions(): Map<string, Expression> {
  const found = sourceFiles().flatMap((file) => expressionsIn(file, readFileSync(join("src", file), "utf8")));
  return new Map(found.map((expression) => [hashOf(expression), expression]));
}

export function readSafeExpressions(): Set<string> {
  return new Set(
    existsSync(safeExpressionsFile) ? (JSON.parse(readFileSync(safeExpressionsFile, "utf8")) as string[]) : [],
  );
}

/** The checker tries random texts, and with some of them calls a linear expression quadratic. A fixed seed gives one answer. */
const options = { timeout: 5000, randomSeed: 1 };

export function isSafe({ source, flags }: Pick<Expression, "source" | "flags">): boolean {
  return checkSync(source, flags, options).status !== "vulnerable";
}

function hashOf({ source, flags }: Expression): string {
  return createHash("sha256").update(`/${source}/${flags}`).digest("hex").slice(0, 20);
}
