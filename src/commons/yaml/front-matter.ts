/** A text's YAML between two lines of dashes at its top, and the rest. */
export type FrontMatter = { front: string; body: string /** Lines before the YAML's first. */; frontOffset: number };

/** Undefined where a text has no front matter. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const lines = plain.split("\n");
  const isFence = (line: string | undefined) => line !== undefined && /^---[ \t]*\r?$/.test(line);
  const start = lines.findIndex((line) => line.trim() !== "");
  if (!isFence(lines[start])) return undefined;
  const end = lines.findIndex((line, index) => index > start && isFence(line));
  if (end < 0) return undefined;
  const front = lines.slice(start + 1, end).join("\n");
  return { front: front === "" ? "" : `${front}\n`, body: lines.slice(end + 1).join("\n"), frontOffset: start + 1 };
}

export function joinFrontMatter(front: string, body: string): string {
  return `---\n${front.endsWith("\n") || front === "" ? front : `${front}\n`}---\n${body}`;
}
