import type { Source } from "./plan.ts";
import { textsOf } from "./syntax.ts";

const innerWord = "(an inner word)";

/** Words that read as translated, and our own inner words; a user reads neither. */
const avoided: [word: RegExp, better: string][] = [
  [/\banew\b/i, "again"],
  [/\bnobody's\b/i, "unassigned"],
  [/\bunless told\b/i, "default: …"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bwhoever\b/i, "anyone who"],
  [/\bfor ever\b/i, "forever, or: never expires"],
  [/\bwhole\b(?! number)/i, "in full, all of"],
  [/\btake[ns]? in\b/i, "import"],
  [/\bstands\b/i, "is"],
  [/(?<!\bthere )\bis no (?!longer|more|match)[a-z]+/i, "is not a …"],
  [/\b(?:desk|door|face)s?\b/i, innerWord],
  [/(?<!\b(?:has|have|had|is|no|for|more) )\brooms?\b(?!\.ts|\/)/i, innerWord],
];

/** Pages for those who change Forge itself, where inner words are explained. */
const forDevelopers = /^(?:AGENTS|CONTRIBUTING)\.md$|^docs[\\/]adr[\\/]/;

/** What is written for people and models in the source: texts of more than one word. */
export function wordBreaches(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    textsOf(text)
      .filter(({ value }) => /\w \w/.test(value))
      .flatMap(({ value }) =>
        avoided.flatMap(([word, better]) => {
          const found = word.exec(value)?.[0];
          return found === undefined ? [] : [`${path}: "${found}" in "${value.slice(0, 80)}": ${better}`];
        }),
      ),
  );
}

/** The same in pages of documentation, outside code. A line may end between two words. */
export function pageBreaches(pages: { path: string; text: string }[]): string[] {
  return pages.flatMap(({ path, text }) => {
    const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)\n]*\)/g, (code) => code.replaceAll(/[^\n]/g, ""));
    const lines = prose.split("\n");
    return lines.flatMap((line, index) =>
      avoided.flatMap(([word, better]) => {
        if (better === innerWord && forDevelopers.test(path)) return [];
        const found = word.exec(`${line} ${lines[index + 1] ?? ""}`);
        return found && found.index < line.length ? [`${path}:${index + 1}: "${found[0]}": ${better}`] : [];
      }),
    );
  });
}
