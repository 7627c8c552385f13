import type { TestFailure } from "../test-run.ts";
import { toProjectPath } from "./report-files.ts";

/** What a compiler reports, read from its output: where, what, and what to do where it says so itself. */

const maxDiagnostics = 50;
const maxLookAhead = 40;

type Lines = readonly string[];

/** Reads what begins at a line; undefined where that is not the compiler's. */
type Reader = (lines: Lines, at: number) => TestFailure | undefined;

export function readDiagnostics(text: string, root: string): TestFailure[] {
  const lines = text.split("\n").map((line) => (line.length > 2_000 ? line.slice(0, 2_000) : line));
  const found = new Map<string, TestFailure>();
  for (let at = 0; at < lines.length && found.size < maxDiagnostics; at++) {
    for (const read of readers) {
      const diagnostic = read(lines, at);
      if (!diagnostic) continue;
      const file =
        diagnostic.file === undefined ? undefined : toProjectPath(root, diagnostic.file.replace(/^\.\//, ""));
      const placed = { ...diagnostic, ...(file !== undefined && { file }) };
      // Maven and Go repeat themselves.
      found.set(`${file}:${diagnostic.line}:${diagnostic.message}`, placed);
      break;
    }
  }
  return [...found.values()];
}

/** `error[E0412]: …`, then `--> src/auth.rs:23:15`, and further down `help: …` with the line to add. */
const readRustc: Reader = (lines, at) => {
  const [, code, message] = /^error(?:\[(E\d{4})\])?: (.+)$/.exec(lines[at] ?? "") ?? [];
  if (message === undefined) return undefined;
  const [, file, line] = /^\s*--> ([^:]+):(\d+):\d+$/.exec(lines[at + 1] ?? "") ?? [];
  const [, missing] =
    /(?:unresolved import|undeclared crate or module|unlinked crate|can't find crate for) `(?!crate\b|self\b|super\b)([A-Za-z0-9_]+)/.exec(
      message,
    ) ??
    /^no matching package named `([^`]+)`/.exec(message) ??
    [];
  if (file === undefined && missing === undefined) return undefined;
  const suggestion =
    missing === undefined
      ? findRustHelp(lines, at)
      : `Add the crate with \`cargo add ${missing}\`, or correct the path.`;
  return {
    name: code ?? "rustc",
    message,
    type: missing === undefined ? "compile_error" : "missing_dependency",
    ...(file !== undefined && { file, line: Number(line) }),
    ...(suggestion !== undefined && { suggestion }),
  };
};

function findRustHelp(lines: Lines, at: number): string | undefined {
  for (let next = at + 1; next < Math.min(lines.length, at + maxLookAhead); next++) {
    const line = lines[next] ?? "";
    if (/^(?:error|warning)(?:\[|:)/.test(line)) return undefined;
    const mark = line.indexOf("help: ");
    if (mark < 0 || !/^[\s=|^~-]*$/.test(line.slice(0, mark))) continue;
    const inline = line.slice(mark + "help: ".length);
    const added = lines.slice(next + 1, next + 5).flatMap((one) => /^\d*\s*\+\s+(\S.*)$/.exec(one.trim())?.[1] ?? []);
    return added[0] === undefined ? inline : `${inline}: \`${added[0]}\``;
  }
  return undefined;
}

/** `src/a.ts(3,5): error TS2304: …`, or `src/a.ts:3:5 - error TS2304: …`. */
const readTsc: Reader = (lines, at) => {
  const line = lines[at] ?? "";
  const mark = line.indexOf(" error TS");
  const place = /(?:\((\d{1,9}),\d{1,9}\):|:(\d{1,9}):\d{1,9} -)$/.exec(line.slice(0, Math.max(mark, 0)));
  const said = /^ error (TS\d{1,9}): (.+)$/.exec(line.slice(mark));
  if (!place || !said) return undefined;
  const file = line.slice(0, place.index);
  const [, first, second] = place;
  const [, name = "", message = ""] = said;
  const [, module] = /^Cannot find module '([^'./][^']*)'/.exec(message) ?? [];
  const [, meant] = /Did you mean(?: to write| the instance member)? '([^']+)'\?/.exec(message) ?? [];
  return {
    name,
    file,
    line: Number(first ?? second),
    message,
    type: module === undefined ? "compile_error" : "missing_dependency",
    ...(module !== undefined && { suggestion: suggestPackage(module) }),
    ...(meant !== undefined && { suggestion: `Use ${meant}.` }),
  };
};

/** `./sums.go:3:9: undefined: x`, with or without a column. */
const readGo: Reader = (lines, at) => {
  const match = /^(?:vet: )?(\.{0,2}\/?[^\s:]{1,500}\.go):(\d+):(?:\d+:)? (.+)$/.exec(lines[at] ?? "");
  if (!match) return undefined;
  const [, file = "", line, message = ""] = match;
  const [, missing] = /^(?:no required module provides|cannot find) package "?([^\s";]+)/.exec(message) ?? [];
  return {
    name: "go",
    file,
    line: Number(line),
    message,
    type: missing === undefined ? "compile_error" : "missing_dependency",
    ...(missing !== undefined && { suggestion: `Add the module with \`go get ${missing}\`, or correct the import.` }),
  };
};

/** Maven's `[ERROR] /x/App.java:[5,9] …`, or javac's own `App.java:5: error: …`; the symbol comes on the next lines. */
const readJavac: Reader = (lines, at) => {
  const line = lines[at] ?? "";
  const place =
    /\.(?:java|kt|groovy|scala):\[(\d{1,9}),\d{1,9}\] (?:error: )?/.exec(line.startsWith("[ERROR] ") ? line : "") ??
    /\.(?:java|kt|groovy|scala):(\d{1,9}): error: /.exec(line);
  if (!place) return undefined;
  const [said, number] = place;
  const message = line.slice(place.index + said.length);
  const file = line.slice(0, place.index + said.indexOf(":")).replace(/^(?:\[ERROR\] |e: )/, "");
  const symbol = lines
    .slice(at + 1, at + 6)
    .map((one) => one.replace("[ERROR]", "").trim())
    .flatMap((one) => (one.startsWith("symbol:") ? [one.slice("symbol:".length).trim()] : []))[0];
  const [, missing] = /^package (\S+) does not exist$/.exec(message) ?? [];
  return {
    name: "javac",
    file,
    line: Number(number),
    message: symbol === undefined ? message : `${message}: ${symbol}`,
    type: missing === undefined ? "compile_error" : "missing_dependency",
    ...(missing !== undefined && {
      suggestion: `Add the dependency that has the package ${missing}, or correct the import.`,
    }),
  };
};

/** A build that could not get what it depends on. */
const readMissingArtifact: Reader = (lines, at) => {
  const line = lines[at] ?? "";
  const [, artifact] =
    /^\[ERROR\].{0,1000}?Could not find artifact ([^\s:]+:[^\s:]+)/.exec(line) ??
    (line.includes(" has not been downloaded") ? /\bartifact ([^\s:]{1,200}:[^\s:]{1,200})/.exec(line) : undefined) ??
    [];
  if (artifact === undefined) return undefined;
  return { name: artifact, message: line.replace(/^\[ERROR\] /, ""), type: "missing_dependency" };
};

const readers: readonly Reader[] = [readRustc, readTsc, readGo, readJavac, readMissingArtifact];

export function suggestPackage(specifier: string): string {
  const parts = specifier.split("/");
  const name = specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
  return `Install ${name} in the project, or correct the import.`;
}
