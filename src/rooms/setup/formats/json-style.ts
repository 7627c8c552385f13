import type { Node } from "jsonc-parser";
import { eolOf } from "./splice.ts";

/** How a document is laid out, so that what is added looks like the rest. */
export type JsonStyle = { eol: string; unit: string; isOneLine: boolean; isSpaced: boolean };

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export function styleOf(text: string, root: Node | undefined): JsonStyle {
  const [first] = root?.children ?? [];
  const indent = first ? indentBefore(text, first.offset) : undefined;
  return {
    eol: eolOf(text),
    unit: indent ? indent : "  ",
    isOneLine: first !== undefined && !text.slice(root?.offset, endOf(root)).includes("\n"),
    isSpaced: text.includes('": ') || first === undefined,
  };
}

function endOf(node: Node | undefined): number {
  return node ? node.offset + node.length : 0;
}

/** The space before a place on its line; undefined if there is more than space. */
export function indentBefore(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** The space that a line begins with, whatever follows on it. */
export function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

export function render(value: Json, style: JsonStyle, indent: string): string {
  if (Array.isArray(value))
    return `[${value.map((item) => render(item, style, indent)).join(style.isSpaced ? ", " : ",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = indent + style.unit;
  const properties = Object.entries(value).map(([key, item]) => property(key, item, style, inner));
  if (style.isOneLine) {
    const [gap, edge] = style.isSpaced ? [", ", " "] : [",", ""];
    return `{${edge}${properties.join(gap)}${edge}}`;
  }
  return `{${style.eol}${properties.map((text) => inner + text).join(`,${style.eol}`)}${style.eol}${indent}}`;
}

export function property(key: string, value: Json, style: JsonStyle, indent: string): string {
  return `${JSON.stringify(key)}:${style.isSpaced ? " " : ""}${render(value, style, indent)}`;
}
