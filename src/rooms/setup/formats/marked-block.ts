import { brokenFile } from "../errors.ts";
import { requireMerged } from "./merge-conflict.ts";
import { type Edited, eolOf, insert } from "./splice.ts";

const begin = "<!-- forge:begin -->";
const end = "<!-- forge:end -->";

type Block = { start: number; end: number };

/** Where the block is, from its first mark to the end of its last; undefined if there is none. */
function findBlock(file: string, text: string): Block | undefined {
  const marks = lines(text).filter(({ text: line }) => line === begin || line === end);
  const [first, second, third] = marks;
  if (!first) return undefined;
  const culprit = first.text !== begin ? first : second?.text !== end ? (second ?? first) : third;
  if (culprit || !second) {
    const line = culprit?.line ?? first.line;
    throw brokenFile(
      file,
      line,
      "the marks around Forge's block do not match",
      `Keep one ${begin} and one ${end} after it.`,
    );
  }
  return { start: first.start, end: second.start + end.length };
}

function lines(text: string): { text: string; line: number; start: number }[] {
  let start = 0;
  return text.split("\n").map((raw, index) => {
    const line = { text: raw.replace(/\r$/, ""), line: index + 1, start };
    start += raw.length + 1;
    return line;
  });
}

export function readBlock(file: string, text: string): string | undefined {
  const block = findBlock(file, text);
  return block && text.slice(block.start, block.end).replaceAll("\r\n", "\n");
}

export function blockOf(content: string): string {
  return `${begin}\n${content}\n${end}`;
}

/** Adds the block at the end; throws where git left a merge unresolved. */
export function addBlock(file: string, text: string, block: string): Edited {
  requireMerged(file, text);
  const eol = eolOf(text);
  const own = block.replaceAll("\n", eol);
  if (text === "") return insert(text, [{ at: 0, text: own + eol }]);
  const added = text.endsWith("\n") ? `${eol}${own}${eol}` : `${eol}${eol}${own}`;
  return insert(text, [{ at: text.length, text: added }]);
}

export function changeBlock(file: string, text: string, block: string): string {
  const found = findBlock(file, text);
  if (!found) return text;
  return text.slice(0, found.start) + block.replaceAll("\n", eolOf(text)) + text.slice(found.end);
}

/** Takes the block out with the space that came with it: the exact reverse of `addBlock` where nothing else was changed. */
export function removeBlock(file: string, text: string): string {
  const found = findBlock(file, text);
  if (!found) return text;
  const eol = eolOf(text);
  const before = text.slice(0, found.start);
  const after = text.slice(found.end);
  if (after === "") return withoutEnd(withoutEnd(before, eol), eol);
  const rest = after.startsWith(eol) ? after.slice(eol.length) : after;
  return (before.endsWith(eol + eol) ? withoutEnd(before, eol) : before) + rest;
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}
