import { parse, TomlError } from "smol-toml";
import { isRecord } from "../../../kernel/json.ts";
import { brokenFile } from "../errors.ts";
import type { EntryPath } from "./json-merge.ts";
import type { Json } from "./json-style.ts";
import { requireMerged } from "./merge-conflict.ts";
import { cutOut, type Edited, eolOf, insert, lineAt } from "./splice.ts";
import { type Statement, scanToml } from "./toml-scan.ts";

export type TomlDocument = { file: string; text: string; value: Record<string, unknown> };

const fixIt = "Fix it there, then run the command again.";

export function parseToml(file: string, text: string): TomlDocument {
  try {
    return { file, text, value: parse(text, { integersAsBigInt: "asNeeded" }) };
  } catch (error) {
    requireMerged(file, text);
    const line = error instanceof TomlError ? error.line : 1;
    throw brokenFile(file, line, "this is not valid TOML", fixIt);
  }
}

export function readTomlEntry(document: TomlDocument, { key, name }: EntryPath): unknown {
  const container = tableIn(document, document.value, key);
  return container && tableIn(document, container, name);
}

function tableIn(
  document: TomlDocument,
  table: Record<string, unknown>,
  key: string,
): Record<string, unknown> | undefined {
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  if (value === undefined) return undefined;
  if (isTable(value)) return value;
  throw brokenFile(document.file, lineOf(document, key), `"${key}" was expected to be a table`, fixIt);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof Date);
}

function lineOf({ text }: TomlDocument, key: string): number {
  const found = scanToml(text).find((statement) => statement.key.includes(key));
  return lineAt(text, found?.start ?? 0);
}

/** A table of its own at the end of the file: the one place that is always right. */
export function addTomlEntry({ text }: TomlDocument, { key, name }: EntryPath, entry: Record<string, Json>): Edited {
  const eol = eolOf(text);
  const lines = [
    `[${tomlKey(key)}.${tomlKey(name)}]`,
    ...Object.entries(entry).map(([field, value]) => `${tomlKey(field)} = ${tomlValue(value)}`),
  ];
  const block = lines.join(eol);
  if (text === "") return insert(text, [{ at: 0, text: block + eol }]);
  const added = text.endsWith("\n") ? `${eol}${block}${eol}` : `${eol}${eol}${block}`;
  return insert(text, [{ at: text.length, text: added }]);
}

export function changeTomlEntry(document: TomlDocument, path: EntryPath, values: Record<string, Json>): string {
  const own = requireOwnTable(document, path);
  return own
    .flatMap(({ statement, below }) => {
      const [field = "", more] = below;
      const next = more === undefined ? values[field] : undefined;
      return next === undefined || !statement.value ? [] : [{ ...statement.value, next }];
    })
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, next }) => text.slice(0, start) + tomlValue(next) + text.slice(end), document.text);
}

export function removeTomlEntry(document: TomlDocument, path: EntryPath): string {
  const { text } = document;
  const ranges = blocksOf(requireOwnTable(document, path), text);
  return cutOut(
    text,
    ranges.map(({ start, end }) => withBlankLine(text, start, end)),
  );
}

type Owned = { statement: Statement; below: string[] };

/** Neighbouring statements of ours as one range; comments between them are ours too. */
function blocksOf(own: Owned[], text: string): { start: number; end: number }[] {
  const all = scanToml(text);
  const blocks: { start: number; end: number; next: number }[] = [];
  for (const { statement } of own) {
    const index = all.findIndex(({ start }) => start === statement.start);
    const last = blocks.at(-1);
    if (last && last.next === index) Object.assign(last, { end: statement.end, next: index + 1 });
    else blocks.push({ start: statement.start, end: statement.end, next: index + 1 });
  }
  return blocks;
}

/** The empty line before goes too, as it came with the entry; without it, the line's own end. */
function withBlankLine(text: string, start: number, end: number): { start: number; end: number } {
  const rest = /^[^\n]*\n?/.exec(text.slice(end))?.[0] ?? "";
  const before = /(?:\r?\n){1,2}$/.exec(text.slice(Math.max(0, start - 4), start))?.[0] ?? "";
  const [first = ""] = before.split(/(?<=\n)/);
  if (!rest.endsWith("\n")) return { start: start - before.length, end: end + rest.length };
  return { start: before === first ? start : start - first.length, end: end + rest.length };
}

/** The statements of the entry's own table and those below it. */
function requireOwnTable(document: TomlDocument, { key, name }: EntryPath): Owned[] {
  let table: string[] = [];
  const own: Owned[] = [];
  for (const statement of scanToml(document.text)) {
    if (statement.kind !== "pair") table = statement.key;
    const isOurs = table[0] === key && table[1] === name;
    if (isOurs)
      own.push({ statement, below: [...table.slice(2), ...(statement.kind === "pair" ? statement.key : [])] });
  }
  if (own.length > 0) return own;
  const line = lineOf(document, name);
  const what = `"${name}" is written in a form that Forge does not change`;
  throw brokenFile(document.file, line, what, `Give it a table of its own, [${key}.${name}], or change it by hand.`);
}

function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** JSON's strings are TOML's too, but for the delete character. */
function tomlValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
