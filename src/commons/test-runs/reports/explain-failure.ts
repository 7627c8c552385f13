import { join, sep } from "node:path";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { readSmallFile } from "../../../platform/files/small-file.ts";
import type { FailureType, TestFailure } from "../test-run.ts";
import { readDiagnostics, suggestPackage } from "./diagnostics.ts";
import { findLine, toProjectPath } from "./report-files.ts";

const maxSourceBytes = 2 * 1_048_576;

/**
 * Gives a failure its kind, its place and what to do about it, as far as its message tells. One that is a compiler's output becomes
 * one failure for each error in it.
 */
export function explainFailure(failure: TestFailure, root: string): TestFailure[] {
  if (failure.type !== undefined) return [failure];
  const diagnostics = readDiagnostics(failure.message, root);
  if (failure.file === undefined && diagnostics.length > 0)
    return diagnostics.map((one) => (/^exit code \d+$/.test(failure.name) ? one : { ...one, name: failure.name }));
  const failed = findFailedImport(failure.message);
  if (failed) return [placeImport({ ...failure, ...describeImport(failed) }, failed, root)];
  if (unresolved.test(failure.message))
    return [{ ...failure, type: "missing_dependency", suggestion: repositoryAdvice }];
  const type = classify(failure.message);
  const placed = placeFailure({ ...failure, type }, root);
  return [type === "timeout" ? { ...placed, suggestion: timeoutAdvice } : placed];
}

/** Maven and Gradle where they cannot get a package. */
const unresolved =
  /^\[ERROR\].{0,2000}(?:Could not resolve dependencies|could not be resolved|Could not (?:find|transfer) artifact)|^> Could not resolve all \w+ for configuration/m;

const repositoryAdvice = "Check the package's name and version, and that the repository it comes from can be reached.";

const timeoutAdvice = "Find what the test waits for, or give it more time.";

function classify(message: string): FailureType {
  if (
    /\bTest timed out in \d+ ?ms|\bHook timed out in \d+ ?ms|Exceeded timeout of \d+ ?ms|Timeout of \d+ ?ms exceeded|test timed out after \d|^(?:E\s+)?Failed: Timeout >|test did not finish before/m.test(
      message,
    )
  )
    return "timeout";
  if (/^(?:panic: |fatal error: )/m.test(message) || (/^thread '/m.test(message) && message.includes(" panicked at ")))
    return /\bpanicked at\b/.test(message) && /\bassert/.test(message) ? "test_failure" : "panic";
  if (
    /(?:^|\n)(?:E\s+)?(?:[A-Za-z]*: )?(?:SyntaxError|IndentationError|TabError|ImportError: cannot import name)\b|Transform failed with \d+ error/.test(
      message,
    )
  )
    return "compile_error";
  return "test_failure";
}

/** An import that could not be resolved: what was asked for, and by which file where the message says so. */
type FailedImport = { specifier: string; from?: string; kind: "python" | "javascript" };

function findFailedImport(message: string): FailedImport | undefined {
  const python = /\bModuleNotFoundError: No module named '([^']+)'/.exec(message);
  if (python) return { specifier: python[1] ?? "", kind: "python" };
  const found =
    /Failed to resolve import ["']([^"']+)["'](?: from ["']([^"']+)["'])?/.exec(message) ??
    /Cannot find (?:module|package) ["']([^"']+)["'](?: imported from ["']?([^\s"']+))?/.exec(message) ??
    /Failed to load url (\S{1,500}) \(resolved id: [^()\n]{0,500}\)(?: in (\S{1,500}) )?/.exec(message);
  if (!found) return undefined;
  const required =
    /Require stack:\n- (.+)/.exec(message)?.[1] ?? /Cannot find module '[^']+' from '([^']+)'/.exec(message)?.[1];
  const from = found[2] ?? required;
  return { specifier: found[1] ?? "", kind: "javascript", ...(from !== undefined && { from }) };
}

function describeImport({ specifier, kind }: FailedImport): Pick<TestFailure, "type" | "suggestion"> {
  if (kind === "python") {
    const [name] = specifier.split(".");
    return {
      type: "missing_dependency",
      suggestion: `Install ${name} for the Python that runs the tests, or correct the import.`,
    };
  }
  const isFile = /^[./]|^file:|^[A-Za-z]:\\/.test(specifier);
  if (isFile) return { type: "compile_error", suggestion: `Create ${specifier}, or correct the import.` };
  return { type: "missing_dependency", suggestion: suggestPackage(specifier) };
}

/** Where the import is: the message names the file at best, so the line is looked up in it. */
function placeImport(failure: TestFailure, { specifier, from, kind }: FailedImport, root: string): TestFailure {
  if (kind === "python") return placeFailure(failure, root);
  const given = from?.replace(/^file:\/\//, "");
  const file = given === undefined ? failure.file : toProjectPath(root, given);
  if (file === undefined) return placeFailure(failure, root);
  const line = findLine(failure.message, file) ?? findImportLine(root, file, specifier) ?? failure.line;
  const { line: _, ...rest } = failure;
  return { ...rest, file, ...(line !== undefined && { line }) };
}

function findImportLine(root: string, file: string, specifier: string): number | undefined {
  const name = specifier.split("/").at(-1) ?? specifier;
  const text = readSource(root, file);
  const exact = findTextLine(text, (line) => line.includes(`"${specifier}"`) || line.includes(`'${specifier}'`));
  return exact ?? findTextLine(text, (line) => /\b(?:import|require|from)\b/.test(line) && line.includes(name));
}

/** The first place in the project that the message names; for a test without one, the line that has its name. */
function placeFailure(failure: TestFailure, root: string): TestFailure {
  if (failure.file !== undefined && failure.line !== undefined) return failure;
  const { file } = failure;
  if (file !== undefined) {
    const line = findLine(failure.message, file) ?? findNamedLine(root, file, failure.name);
    return line === undefined ? failure : { ...failure, line };
  }
  const place = findPlace(failure.message, root);
  return place ? { ...failure, ...place } : failure;
}

/** `/root/src/a.go:7`, `file:///root/a.mjs:2`, or Python's `File "/root/a.py", line 3`. */
function findPlace(message: string, root: string): { file: string; line: number } | undefined {
  const start = `${root}${sep}`;
  for (let at = message.indexOf(start); at !== -1; at = message.indexOf(start, at + 1)) {
    const rest = message.slice(at + start.length, at + start.length + 1_000);
    const [, path, first, second] = /^([^\s:"']{1,500})(?::(\d{1,9})|", line (\d{1,9}))/.exec(rest) ?? [];
    if (path === undefined || /(?:^|\/)node_modules\//.test(path)) continue;
    return { file: path.split(sep).join("/"), line: Number(first ?? second) };
  }
  return findPythonPlace(message);
}

/** pytest's own tracebacks name files of the project from its root; the last one is nearest to the problem. */
function findPythonPlace(message: string): { file: string; line: number } | undefined {
  const places = [...message.matchAll(/^([^\s:/][^\s:]{0,500}\.py):(\d{1,9}): in /gm)];
  const [, file, line] = places.at(-1) ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}

const quotedTexts = [/'([^']{3,500})'/g, /"([^"]{3,500})"/g, /`([^`]{3,500})`/g];

function findNamedLine(root: string, file: string, name: string): number | undefined {
  const words = name.split(/ > |::/).at(-1) ?? name;
  const text = readSource(root, file);
  return (
    findTextLine(text, (line) => ["'", '"', "`"].some((quote) => line.includes(`${quote}${words}${quote}`))) ??
    findTextLine(text, (line) =>
      quotedTexts.some((quoted) =>
        [...line.matchAll(quoted)].some(([, title]) => title !== undefined && name.endsWith(title)),
      ),
    )
  );
}

function findTextLine(text: string | undefined, isMeant: (line: string) => boolean): number | undefined {
  const at = text?.split("\n").findIndex(isMeant) ?? -1;
  return at === -1 ? undefined : at + 1;
}

function readSource(root: string, file: string): string | undefined {
  try {
    const path = join(root, file);
    return entryAt(path)?.isFile() ? readSmallFile(path, maxSourceBytes) : undefined;
  } catch {
    return undefined;
  }
}
