import type { Node } from "jsonc-parser";

/** What is between two places of an object, besides its properties. */
export type Between = {
  /** End of the last comma or comment; the beginning where there is neither. */
  lastEnd: number;
  comma: number | undefined;
  endsInLineComment: boolean;
};

/** Reads on from a place up to the next property or the end of the object. */
export function tokensFrom(text: string, start: number): Between {
  const found: Between = { lastEnd: start, comma: undefined, endsInLineComment: false };
  for (let at = start; ; ) {
    at = skipSpace(text, at);
    const end = tokenEnd(text, at);
    if (end === undefined) return found;
    if (text[at] === ",") found.comma = at;
    found.endsInLineComment = text.startsWith("//", at);
    found.lastEnd = end;
    at = end;
  }
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

/** Of a comma or a comment; undefined where something else begins. */
function tokenEnd(text: string, at: number): number | undefined {
  if (text[at] === ",") return at + 1;
  if (text.startsWith("/*", at)) return text.indexOf("*/", at + 2) + 2;
  if (!text.startsWith("//", at)) return undefined;
  let end = at;
  while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end++;
  return end;
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}
