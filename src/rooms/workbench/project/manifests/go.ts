import type { Manifest, Surroundings } from "../manifest.ts";

const mostLines = 5_000;

export function readGoMod(text: string, { has }: Surroundings): Manifest {
  const lines = statements(text);
  const [module] = after(lines, "module");
  const required = after(lines, "require").filter((line) => !/\/\/ ?indirect/.test(line));
  return {
    ecosystem: "go",
    name: module === undefined ? undefined : unquoted(firstWord(module)),
    dependencies: required.map((line) => unquoted(firstWord(line))).filter((name) => name !== ""),
    devDependencies: [],
    test: "go test",
    build: "go build ./...",
    kind: has("main.go") ? "program" : undefined,
  };
}

export function readGoWork(text: string): Manifest {
  const lines = statements(text);
  const members = after(lines, "use").map((line) => unquoted(firstWord(line)));
  return { ecosystem: "go", dependencies: [], devDependencies: [], members, test: "go test", build: "go build ./..." };
}

function statements(text: string): string[] {
  const lines = text.split("\n").slice(0, mostLines);
  return lines.map((line) => line.trim().replaceAll("\t", " ")).filter((line) => line !== "" && !line.startsWith("//"));
}

/** What follows a keyword, alone on its line or in a block: `require a v1`, and the lines of `require ( … )`. */
function after(lines: readonly string[], keyword: string): string[] {
  const found: string[] = [];
  let isInBlock = false;
  for (const line of lines) {
    if (line.startsWith(")")) isInBlock = false;
    else if (isInBlock) found.push(line);
    else if (line.startsWith(`${keyword} (`) || line.startsWith(`${keyword}(`)) isInBlock = true;
    else if (line.startsWith(`${keyword} `)) found.push(line.slice(keyword.length + 1).trim());
  }
  return found;
}

function firstWord(line: string): string {
  return line.trim().split(" ")[0] ?? "";
}

function unquoted(word: string): string {
  return word.replaceAll('"', "").replaceAll("`", "");
}
