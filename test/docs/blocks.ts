import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * How a documented command is run:
 * - as it stands, and it must exit with 0;
 * - with `# exits N` behind it, and it must exit with N;
 * - with `# Ctrl+C` behind it, until it has said something, and then a SIGINT must end it with 0;
 * - not at all with `# needs: NAME`, where NAME is something only a user's machine has;
 * - not here where it begins with `npm` or `npx`: installing, building and testing have their own tests.
 */
export type DocumentedCommand = { line: string; how: "run" | "interrupt" | "leave"; exits: number };

export type DocumentedPage = { file: string; text: string; commands: DocumentedCommand[] };

export function documentedPages(root: string): DocumentedPage[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const files = ["README.md", ...docs.filter((name) => name.endsWith(".md")).map((name) => join("docs", name))];
  return files.sort().map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return { file, text, commands: shellLines(text).map(documentedCommand) };
  });
}

/** The lines of every ```sh block; a backslash at the end joins a line with the next. */
export function shellLines(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
}

function documentedCommand(line: string): DocumentedCommand {
  const isLeft = /# needs: \S/.test(line) || /^(?:npm|npx) /.test(line);
  const how = isLeft ? "leave" : /# Ctrl\+C\s*$/.test(line) ? "interrupt" : "run";
  return { line, how, exits: Number(/# exits (\d+)\s*$/.exec(line)?.[1] ?? 0) };
}

/** Every `forge NAME` a page speaks of in code, also within a sentence. */
export function commandNames(markdown: string): string[] {
  const code = [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
  return [...code, ...shellLines(markdown)].flatMap((text) =>
    [...text.matchAll(/(?:^|[\s|&(])forge ([a-z][a-z-]*)/g)].map(([, name = ""]) => name),
  );
}
