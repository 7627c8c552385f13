import { listCodeLines } from "./code-lines.ts";
import { detectLanguage } from "./languages.ts";

type ImportLimits = { imports: number; lines: number; lineLength?: number };

const defaultLimits: ImportLimits = { imports: 300, lines: 5_000 };
const maxUseLength = 1_000;
const maxModuleLength = 1_000;

/** What a source file imports, as written: `./a.ts`, `react`, `crate::models::User`, `mod db`, `app.models`, `example.org/x/y`. */
export function findImports(path: string, text: string, limits = defaultLimits): string[] {
  const lines = listCodeLines(path, text, limits.lines, limits.lineLength);
  const found = new Set<string>();
  // One after the other: a line of a few megabytes can name millions.
  for (const specifier of findByEcosystem(path, lines)) {
    if (found.size >= limits.imports) break;
    found.add(specifier);
  }
  return [...found];
}

function findByEcosystem(path: string, lines: readonly string[]): Iterable<string> {
  const ecosystem = detectLanguage(path)?.ecosystem;
  if (ecosystem === "javascript") return findJavaScriptImports(lines);
  if (ecosystem === "python") return findPythonImports(lines);
  if (ecosystem === "rust") return findRustImports(lines);
  if (ecosystem === "go") return findGoImports(lines);
  if (ecosystem === "java") return lines.flatMap(findJavaImports);
  return [];
}

/** Also with a comment, or as a template: programs run it all the same. */
const javaScriptImport =
  /(?:\bfrom|\bimport|\brequire)\s{0,200}(?:\(\s{0,200})?(?:\/\*[^*]{0,200}\*\/\s{0,200})?["'`]([^"'`\n]{1,300})["'`]/g;

function* findJavaScriptImports(lines: readonly string[]): Generator<string> {
  for (const [, specifier = ""] of lines.join("\n").matchAll(javaScriptImport)) yield specifier;
}

function* findPythonImports(lines: readonly string[]): Generator<string> {
  for (const line of lines) {
    const text = line.trim();
    const at = text.indexOf(" import ");
    if (text.startsWith("import ")) yield* parseNames(text.slice("import ".length));
    if (!text.startsWith("from ") || at === -1) continue;
    const module = text.slice("from ".length, at).trim();
    // No file has a longer name.
    if (module.length > maxModuleLength) continue;
    yield module;
    for (const name of parseNames(text.slice(at + " import ".length).replace("(", "")))
      yield module.endsWith(".") ? module + name : `${module}.${name}`;
  }
}

function parseNames(names: string): string[] {
  const [code = ""] = names.split("#");
  return code
    .split(",")
    .map((name) => name.trim().split(" ")[0] ?? "")
    .filter((name) => name.length <= maxModuleLength && /^[\w.]+$/.test(name));
}

function* findRustImports(lines: readonly string[]): Generator<string> {
  for (const [index, line] of lines.entries()) {
    const text = line.trim().replace(/^pub(?:\([^)]{0,50}\))? /, "");
    const [, module] = /^mod (\w{1,100});/.exec(text) ?? [];
    if (module !== undefined) yield `mod ${module}`;
    if (!text.startsWith("use ")) continue;
    const rest = [text, ...lines.slice(index + 1, index + 20)].join(" ").slice("use ".length, maxUseLength);
    yield* expandUse(rest.split(";")[0] ?? "");
  }
}

/** `crate::{models::User, db as d}` is `crate::models::User` and `crate::db`; deeper levels are left out. */
function expandUse(use: string): string[] {
  const [before = "", ...inner] = use.split("{");
  const parts = inner.length === 0 ? [""] : (inner[0] ?? "").split(",");
  const names = parts.map((part) => (before + part).replaceAll("}", "").split(" as ")[0]?.replaceAll(" ", "") ?? "");
  return names.filter((name) => name !== "" && (inner.length === 0 || !name.endsWith("::")));
}

function findGoImports(lines: readonly string[]): string[] {
  const found: string[] = [];
  let isInBlock = false;
  for (const line of lines) {
    const text = line.trim();
    if (isInBlock && text.startsWith(")")) isInBlock = false;
    else if (text === "import (") isInBlock = true;
    else if (isInBlock || text.startsWith("import ")) found.push(...(/"([^"]{1,300})"/.exec(text)?.slice(1, 2) ?? []));
    else if (text.startsWith("func ")) break;
  }
  return found;
}

function findJavaImports(line: string): string[] {
  const [, name] = /^import (?:static )?([\w.]{1,300})/.exec(line.trim()) ?? [];
  return name === undefined ? [] : [name];
}
