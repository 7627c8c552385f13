import { detectLanguage } from "./languages.ts";

const maxLines = 5_000;
const maxLineLength = 500;
const hashComments = new Set("python shell ruby yaml toml elixir r julia perl nix terraform powershell".split(" "));

/** The lines of code of a source file, without lines that are only comments. */
export function listCodeLines(path: string, text: string): string[] {
  const isHash = hashComments.has(detectLanguage(path)?.name ?? "");
  const lines: string[] = [];
  let isInComment = false;
  for (const whole of text.split("\n", maxLines)) {
    const line = whole.slice(0, maxLineLength).trimEnd();
    const start = line.trimStart();
    if (isInComment) isInComment = !start.includes("*/");
    else if (!isHash && start.startsWith("/*")) isInComment = !start.includes("*/");
    else if (!start.startsWith(isHash ? "#" : "//")) lines.push(line);
  }
  return lines;
}
