export type Learning = {
  text: string;
  line: number;
  date: string | undefined;
  /** From a heading over it, in files with several agents. */
  agent: string | undefined;
  tags: string[];
};

const learningLine = /^\s{0,3}[-*]\s{1,8}\[(\d{4}-\d{2}-\d{2})\](.+)$/;
const heading = /^##\s(.+)$/;
/** As long as a memory may be. */
const maxLength = 8_000;
const conflict = /^(?:<{7}|={7}|>{7})(?:\s|$)/;
const tag = /`([^`]{1,64})`$/;

/**
 * Lines `- [2026-01-31] text` of a file, with trailing `` `tags` `` as the kit exports them. Comments, fences and the marks of a merge
 * conflict are left out.
 */
export function readLearnings(content: string): Learning[] {
  const learnings: Learning[] = [];
  let agent: string | undefined;
  let isFenced = false;
  for (const [index, line] of withoutComments(content).split(/\r?\n/).entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced || conflict.test(line)) continue;
    const title = heading.exec(line)?.[1]?.trim();
    if (title !== undefined && title !== "") agent = title;
    const [, date, said] = learningLine.exec(line) ?? [];
    if (said === undefined) continue;
    const { text, tags } = splitTags(said.trim());
    if (text !== "" && !/^\{\{.*\}\}$/.test(text))
      learnings.push({ text: text.slice(0, maxLength), line: index + 1, date, agent, tags });
  }
  return learnings;
}

/** The same text with comments blanked, so that line numbers stay. */
export function withoutComments(content: string): string {
  return content.replaceAll(/<!--[\s\S]*?(?:-->|$(?![\s\S]))/g, (comment) => comment.replaceAll(/[^\n]/g, " "));
}

function splitTags(said: string): { text: string; tags: string[] } {
  const tags: string[] = [];
  let text = said;
  for (let found = tag.exec(text); found && tags.length < 16; found = tag.exec(text)) {
    tags.unshift(found[1] ?? "");
    text = text.slice(0, found.index).trimEnd();
  }
  // A line of nothing but code is its text.
  return text.trim() === "" ? { text: said, tags: [] } : { text: text.trim(), tags };
}
