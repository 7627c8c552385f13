import { type Manifest, type ManifestFolder, toRuntime } from "./manifest.ts";

const maxLines = 5_000;

export function readGoMod(text: string, { has }: ManifestFolder): Manifest {
  const lines = listStatements(text);
  const [module] = after(lines, "module");
  const required = after(lines, "require").filter((line) => !/\/\/ ?indirect/.test(line));
  return {
    ecosystem: "go",
    name: module === undefined ? undefined : unquote(firstWord(module)),
    runtime: toRuntime("Go", after(lines, "go")[0]),
    dependencies: required.map((line) => unquote(firstWord(line))).filter((name) => name !== ""),
    devDependencies: [],
    test: "go test",
    testCommand: "go test ./...",
    build: "go build ./...",
    kind: has("main.go") ? "program" : undefined,
  };
}

export function readGoWork(text: string): Manifest {
  const lines = listStatements(text);
  const members = after(lines, "use").map((line) => unquote(firstWord(line)));
  return { ecosystem: "go", dependencies: [], devDependencies: [], members, test: "go test", build: "go build ./..." };
}

function listStatements(text: string): string[] {
  const lines = text.split("\n").slice(0, maxLines);
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

function unquote(word: string): string {
  return word.replaceAll('"', "").replaceAll("`", "");
}
