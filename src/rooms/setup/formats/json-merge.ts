import type { Node } from "jsonc-parser";
import { type JsonDocument, objectOf, valueIn } from "./json-document.ts";
import { indentBefore, type Json, type JsonStyle, lineIndent, property, render, styleOf } from "./json-style.ts";
import { type Between, endOf, tokensFrom } from "./json-tokens.ts";
import { cutOut, type Edited, insert, type Range, type Splice, splitMark } from "./splice.ts";

/** Where a server's entry is: under which key, by which name. */
export type EntryPath = { key: string; name: string };

/** The entry as a value; undefined where there is none. Throws where the file has something else in its place. */
export function readJsonEntry(document: JsonDocument, { key, name }: EntryPath): unknown {
  const container = objectOf(document, document.root, key);
  const entry = objectOf(document, container?.value, name);
  return entry && valueIn(entry.value);
}

/** Adds an entry that is not there; everything else keeps its bytes. */
export function addJsonEntry(document: JsonDocument, { key, name }: EntryPath, entry: Json): Edited {
  const { text, root } = document;
  const style = styleOf(text, root);
  if (!root) return insert(text, [newDocument(text, { [key]: { [name]: entry } }, style)]);
  const container = objectOf(document, root, key);
  const insertions = container
    ? addProperty(text, container.value, name, entry, style)
    : addProperty(text, root, key, { [name]: entry }, style);
  return insert(text, insertions);
}

/** A file of nothing, or of nothing but comments. */
function newDocument(text: string, value: Json, style: JsonStyle): Splice {
  const { body } = splitMark(text);
  const gap = body === "" || body.endsWith("\n") ? "" : style.eol;
  return { at: text.length, text: `${gap}${render(value, style, "")}${style.eol}` };
}

function addProperty(text: string, object: Node, key: string, value: Json, style: JsonStyle): Splice[] {
  const last = object.children?.at(-1);
  return last ? addAfter(text, object, last, key, value, style) : addFirst(text, object, key, value, style);
}

/** A comment behind the last property stays with it: the comma goes before the comment, the new property after. */
function addAfter(text: string, object: Node, last: Node, key: string, value: Json, style: JsonStyle): Splice[] {
  const between = tokensFrom(text, endOf(last));
  const indent = indentOfProperties(text, object);
  const own = { ...style, isOneLine: indent === undefined };
  const gap = separator(text, object, between, indent, style);
  const added = gap + property(key, value, own, indent ?? lineIndent(text, object.offset) + style.unit);
  if (between.comma !== undefined) return [{ at: between.lastEnd, text: `${added},` }];
  if (between.lastEnd === endOf(last)) return [{ at: between.lastEnd, text: `,${added}` }];
  return [
    { at: endOf(last), text: "," },
    { at: between.lastEnd, text: added },
  ];
}

function separator(text: string, object: Node, between: Between, indent: string | undefined, style: JsonStyle): string {
  if (indent !== undefined) return style.eol + indent;
  if (between.endsInLineComment) return style.eol + lineIndent(text, object.offset) + style.unit;
  return style.isSpaced ? " " : "";
}

function addFirst(text: string, object: Node, key: string, value: Json, style: JsonStyle): Splice[] {
  const { lastEnd } = tokensFrom(text, object.offset + 1);
  const tail = text.slice(lastEnd, endOf(object) - 1);
  const outer = lineIndent(text, object.offset);
  const isOneLine = style.isOneLine && !tail.includes("\n");
  const added = property(key, value, { ...style, isOneLine }, outer + style.unit);
  if (isOneLine) return [{ at: lastEnd, text: added }];
  const end = tail.includes("\n") ? "" : style.eol + outer;
  return [{ at: lastEnd, text: `${style.eol}${outer}${style.unit}${added}${end}` }];
}

/** Undefined if the properties are on the line of the brace. */
function indentOfProperties(text: string, object: Node): string | undefined {
  const [first] = object.children ?? [];
  if (!first || !text.slice(object.offset, first.offset).includes("\n")) return undefined;
  return indentBefore(text, first.offset) ?? lineIndent(text, first.offset);
}

/** Replaces some values of an entry; the others stay. */
export function changeJsonEntry(
  document: JsonDocument,
  { key, name }: EntryPath,
  values: Record<string, Json>,
): string {
  const container = objectOf(document, document.root, key);
  const entry = objectOf(document, container?.value, name);
  const style = { ...styleOf(document.text, document.root), isOneLine: true };
  return (entry?.value.children ?? [])
    .flatMap((node) => {
      const [label, value] = node.children ?? [];
      const next = typeof label?.value === "string" && value ? values[label.value] : undefined;
      return next === undefined || !value ? [] : [{ value, next }];
    })
    .sort((a, b) => b.value.offset - a.value.offset)
    .reduce(
      (text, { value, next }) => text.slice(0, value.offset) + render(next, style, "") + text.slice(endOf(value)),
      document.text,
    );
}

/** Takes an entry out, with the comma that belonged to it; `withContainer` also what held it, where that is empty then. */
export function removeJsonEntry(document: JsonDocument, { key, name }: EntryPath, withContainer: boolean): string {
  const { text, root } = document;
  const container = objectOf(document, root, key);
  const entry = objectOf(document, container?.value, name);
  if (!root || !container || !entry) return text;
  const isOnly = container.value.children?.length === 1;
  if (isOnly && withContainer) return removeProperty(text, root, container.node);
  return removeProperty(text, container.value, entry.node);
}

function removeProperty(text: string, object: Node, node: Node): string {
  const siblings = object.children ?? [];
  const previous = siblings[siblings.indexOf(node) - 1];
  const before = tokensFrom(text, previous ? endOf(previous) : object.offset + 1);
  const { comma } = tokensFrom(text, endOf(node));
  if (comma !== undefined)
    return removeRanges(text, object, [{ start: before.lastEnd, end: comma + 1 }], siblings.length);
  const own = { start: before.lastEnd, end: endOf(node) };
  const separator = previous && before.comma !== undefined ? [{ start: before.comma, end: before.comma + 1 }] : [];
  return removeRanges(text, object, [...separator, own], siblings.length);
}

/** An object that has nothing left but space is written `{}`. */
function removeRanges(text: string, object: Node, ranges: Range[], properties: number): string {
  if (properties > 1) return cutOut(text, ranges);
  const [inner] = [cutOut(text, ranges).slice(object.offset + 1)];
  const close = inner.indexOf("}");
  if (inner.slice(0, close).trim() !== "") return cutOut(text, ranges);
  return `${text.slice(0, object.offset + 1)}${inner.slice(close)}`;
}
