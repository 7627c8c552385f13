import { withoutComments } from "../formats/learnings.ts";
import { isPlaceholder } from "./bmad-files.ts";

export type SectionItem = { text: string; source: string; date?: string };

/** `within` is the heading above it, if it is one of a group. */
export type Section = { title: string; within?: string; items: SectionItem[]; source: string };

const maxItemLength = 2_000;

/** The bullets, table rows and lines below each heading of a Markdown text; front matter, fences and comments are left out. */
export function parseSections(text: string, path: string): Section[] {
  const sections: Section[] = [];
  const lines = withoutComments(withoutFrontMatter(text)).split(/\r?\n/);
  const above: (string | undefined)[] = [];
  let isFenced = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced) continue;
    const source = `${path}:${index + 1}`;
    const { level, title } = parseHeading(line);
    if (title !== undefined) {
      above.length = level - 1;
      const within = above.slice(1).findLast((one) => one !== undefined);
      above[level - 1] = title;
      sections.push({ title, ...(within !== undefined && { within }), items: [], source });
    }
    // A row over a line of dashes is a table's header.
    const isHeader = /^\s*\|/.test(line) && /^\s*\|[\s:|-]+$/.test(lines[index + 1] ?? "");
    const said = title !== undefined || isHeader ? undefined : itemText(line);
    if (said !== undefined) sections.at(-1)?.items.push({ text: said, source, ...dateIn(said) });
  }
  return sections;
}

/** `## A title`; without a title where the line is no heading. */
export function parseHeading(line: string): { level: number; title: string | undefined } {
  const [, marks = "", rest = ""] = /^(#{1,4})\s(.*)$/.exec(line) ?? [];
  const title = rest.trim();
  return { level: marks.length, title: title === "" ? undefined : title };
}

export function dateIn(text: string): { date?: string } {
  const date = /\b(\d{4}-\d{2}-\d{2})\b/.exec(text)?.[1];
  return date === undefined ? {} : { date };
}

/** A line's own text; undefined for what is layout, or still to be filled in. */
function itemText(line: string): string | undefined {
  const plain = line.replace(/^\s*(?:[-*+]|\d+\.)\s+(?:\[[ xX]\]\s+)?/, "").trim();
  const isLayout = /^[>|:\s-]*$/.test(plain) || /^(?:<{7}|={7}|>{7})/.test(plain) || /^```|^~~~/.test(plain);
  if (isLayout || isPlaceholder(plain)) return undefined;
  return plain.replace(/^\|/, "").replace(/\|$/, "").trim().slice(0, maxItemLength);
}

/** Blanked, so that line numbers stay. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^\ufeff?---\r?\n[\s\S]{0,20000}?\r?\n---[ \t]*(?=\r?\n)/, (front) =>
    front.replaceAll(/[^\n]/g, ""),
  );
}
