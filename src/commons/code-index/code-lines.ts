import { detectLanguage } from "./languages.ts";

const defaultMaxLines = 5_000;
const defaultLineLength = 500;
const hashComments = new Set("python shell ruby yaml toml elixir r julia perl nix terraform powershell".split(" "));

/** The lines of code of a source file, without lines that are only comments. */
export function listCodeLines(
  path: string,
  text: string,
  maxLines = defaultMaxLines,
  maxLineLength = defaultLineLength,
): string[] {
  const isHash = hashComments.has(detectLanguage(path)?.name ?? "");
  const lines: string[] = [];
  let isInComment = false;
  for (const whole of text.split("\n", maxLines)) {
    const line = whole.slice(0, maxLineLength).trimEnd();
    const start = line.trimStart();
    if (isInComment || (!isHash && start.startsWith("/*"))) {
      const end = start.indexOf("*/", isInComment ? 0 : 2);
      isInComment = end === -1;
      // What comes after a comment on its line is code.
      if (!isInComment && start.slice(end + 2).trim() !== "") lines.push(start.slice(end + 2));
    } else if (!start.startsWith(isHash ? "#" : "//")) lines.push(line);
  }
  return lines;
}
