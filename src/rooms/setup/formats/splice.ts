/** Text that was put in: `at` counts in the text that has it. */
export type Splice = { at: number; text: string };

/** What a change made of a text, and how to take it back. */
export type Edited = { text: string; splices: Splice[] };

/** Puts texts in; here `at` counts in the text without them. */
export function insert(text: string, insertions: readonly Splice[]): Edited {
  let result = "";
  let from = 0;
  const splices: Splice[] = [];
  for (const { at, text: added } of [...insertions].sort((a, b) => a.at - b.at)) {
    result += text.slice(from, at);
    splices.push({ at: result.length, text: added });
    result += added;
    from = at;
  }
  return { text: result + text.slice(from), splices };
}

/** The text before the splices were put in; undefined where they are not where they should be. */
export function takeOut(text: string, splices: readonly Splice[]): string | undefined {
  let result = "";
  let from = 0;
  for (const { at, text: added } of splices) {
    if (at < from || text.slice(at, at + added.length) !== added) return undefined;
    result += text.slice(from, at);
    from = at + added.length;
  }
  return result + text.slice(from);
}

export type Range = { start: number; end: number };

export function cutOut(text: string, ranges: readonly Range[]): string {
  return [...ranges]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** The line ends a text has already. */
export function eolOf(text: string): "\n" | "\r\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** Lines count from one. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

const mark = "\uFEFF";

/** A byte order mark belongs to the file, not to its text. */
export function splitMark(text: string): { mark: string; body: string } {
  return text.startsWith(mark) ? { mark, body: text.slice(1) } : { mark: "", body: text };
}
