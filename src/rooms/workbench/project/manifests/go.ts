import type { Manifest, Surroundings } from "../manifest.ts";

const mostLines = 5_000;

export function readGoMod(text: string, { has }: Surroundings): Manifest {
  const lines = statements(text);
  const module = lines.find((line) => line.startsWith("module "))?.slice("module ".length);
  const required = [...inBlock(lines, "require"), ...single(lines, "require")].filter(
    (line) => !/\/\/ *indirect/.test(line),
  );
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
  const members = [...inBlock(lines, "use"), ...single(lines, "use")].map((line) => unquoted(firstWord(line)));
  return { ecosystem: "go", dependencies: [], devDependencies: [], members, test: "go test", build: "go build ./..." };
}

function statements(text: string): string[] {
  const lines = text.split("\n").slice(0, mostLines);
  return lines.map((line) => line.trim().replaceAll("\t", " ")).filter((line) => line !== "" && !line.startsWith("//"));
}

/** What stands between `require (` and `)`, in as many blocks as there are. */
function inBlock(lines: readonly string[], keyword: string): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const line of lines) {
    if (line.startsWith(")")) isInside = false;
    else if (isInside) found.push(line);
    else if (line.startsWith(`${keyword} (`) || line.startsWith(`${keyword}(`)) isInside = true;
  }
  return found;
}

function single(lines: readonly string[], keyword: string): string[] {
  const starting = lines.filter((line) => line.startsWith(`${keyword} `) && !line.startsWith(`${keyword} (`));
  return starting.map((line) => line.slice(keyword.length + 1).trim());
}

function firstWord(line: string): string {
  return line.trim().split(" ")[0] ?? "";
}

function unquoted(word: string): string {
  return word.replaceAll('"', "").replaceAll("`", "");
}
