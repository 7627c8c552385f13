import type { Line } from "./lines.ts";

const marker = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const checkbox = /^\[[ xX]\] /;

export function bulletList(texts: string[]): string {
  return texts.map((text) => listItem("-", text)).join("\n");
}

export function numberedList(texts: string[]): string {
  return texts.map((text, index) => listItem(`${index + 1}.`, text)).join("\n");
}

/** Further lines are indented like the first one's text. */
function listItem(mark: string, text: string): string {
  const indent = " ".repeat(mark.length + 1);
  const [first = "", ...more] = text.split("\n");
  return [`${mark} ${first}`.trimEnd(), ...more.map((line) => (line.trim() === "" ? "" : indent + line))].join("\n");
}

/** The items of a list, bulleted or numbered. A paragraph between them counts as an item, so that nothing is lost. */
export function listItems(lines: Line[]): string[] {
  const items: { indent: number; texts: string[] }[] = [];
  let afterBlank = true;
  for (const { text } of lines) {
    const mark = text.match(marker)?.[0];
    const current = items.at(-1);
    if (mark !== undefined) items.push({ indent: mark.length + 1, texts: [text.slice(mark.length + 1)] });
    else if (text.trim() === "") current?.texts.push("");
    else if (current && (text.startsWith(" ") || !afterBlank)) current.texts.push(dedent(text, current.indent));
    else items.push({ indent: 0, texts: [text] });
    afterBlank = text.trim() === "";
  }
  return items.map(({ texts }) => texts.join("\n").trim().replace(checkbox, ""));
}

function dedent(text: string, indent: number): string {
  const blanks = text.length - text.trimStart().length;
  return text.slice(Math.min(indent, blanks));
}
