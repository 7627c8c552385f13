import { listCodeLines } from "../../../commons/code-index/code-lines.ts";
import { type Check, type CheckHow, isProjectPath, type Outcome } from "../../../commons/evidence/checks.ts";
import { compileGlob } from "../../../commons/patterns/glob.ts";
import { compilePattern } from "../../../commons/patterns/re2.ts";
import { isProjectCommand } from "../../../commons/test-runs/project/configured-commands.ts";
import { type DetectedRunner, detectRunner } from "../../../commons/test-runs/project/detect-runner.ts";
import { TestProject } from "../../../commons/test-runs/project/test-project.ts";
import { runTrustedCommand } from "../../../commons/test-runs/run-command.ts";
import { isTestFile } from "../../../commons/test-runs/selection/is-test-file.ts";
import type { TestFailure, TestRun } from "../../../commons/test-runs/test-run.ts";
import type { TestService } from "../../../commons/test-runs/test-service.ts";
import type { Trust } from "../../../commons/trust/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { isReadable } from "../../../platform/files/protected-names.ts";
import { notAProjectCommand, notATestFile } from "../model/errors.ts";
import { describeCheck } from "./describe-check.ts";

/** What a check showed in one tree. */
export type Ran = {
  outcome: Outcome;
  why: string;
  ms: number;
  run?: string;
  /** It did not get as far as to be run: the code or the test could not be loaded. */
  isUncollected?: true;
  /** It failed by an error and not by what it checks. */
  isError?: true;
  /** It came to no result, for reasons that need not be in the tree: it was stopped, could not be started, or changed files. */
  isVoid?: true;
  /** The files that it looked at, where the check itself knows. */
  files?: string[];
};

type Place = {
  root: string;
  signal: AbortSignal;
  deadlineMs: number | undefined;
  report(message: string): void;
  /** Restores the folder after a check has changed it, so that the others are not judged by that. */
  renew(): Promise<void>;
};

const defaultDeadlineMs = 20 * 60_000;
const maxLines = 1_000_000;

/** It knows secrets by their form alone, so that a check says the same on every machine. */
const redactor = new Redactor();

/** Runs checks in a folder: all tests at once, then everything else, one after the other. */
export class CheckRunner {
  readonly #tests: Pick<TestService, "run">;
  readonly #trust: Pick<Trust, "require">;
  readonly #treeHash: (root: string, signal: AbortSignal) => Promise<string | undefined>;

  constructor(
    tests: Pick<TestService, "run">,
    trust: Pick<Trust, "require">,
    treeHash: (root: string, signal: AbortSignal) => Promise<string | undefined>,
  ) {
    this.#tests = tests;
    this.#trust = trust;
    this.#treeHash = treeHash;
  }

  async run(checks: readonly Check[], place: Place): Promise<Map<string, Ran>> {
    const ran = new Map<string, Ran>();
    const tests = checks.filter(({ how }) => how.type === "test");
    if (tests.length > 0) for (const [id, one] of await this.#runTests(tests, place)) ran.set(id, one);
    for (const { id, how } of checks) {
      if (how.type === "test" || how.type === "look" || how.type === "invariant") continue;
      place.report(`${id}: ${describeCheck(how)}`);
      ran.set(id, await this.#runGuarded(how, place));
    }
    return ran;
  }

  async #runTests(checks: readonly Check[], place: Place): Promise<Map<string, Ran>> {
    const project = new TestProject(place.root);
    const ran = new Map<string, Ran>();
    const detected = await detectRunner(project);
    for (const { id, how } of checks) {
      const why = how.type === "test" ? await whyNotTest(project, detected, how.file) : undefined;
      if (why !== undefined) ran.set(id, { outcome: "not_found", why, ms: 0, isUncollected: true });
    }
    const found = checks.filter(({ id }) => !ran.has(id));
    const files = [...new Set(found.flatMap(({ how }) => (how.type === "test" ? [how.file] : [])))];
    if (files.length === 0) return ran;
    const run = await this.#tryTests(files, place);
    if (!(run instanceof ForgeError) && run.treeChanged) await place.renew();
    for (const { id, how } of found)
      if (how.type === "test") ran.set(id, judgeTest(how, run, project.readText(how.file) ?? ""));
    return ran;
  }

  async #tryTests(files: string[], { root, signal, deadlineMs, report }: Place): Promise<TestRun | ForgeError> {
    try {
      return await this.#tests.run({
        ...{ root, scope: "all", files: [], types: [], coverage: false, only: files, signal },
        deadlineMs: deadlineMs ?? defaultDeadlineMs,
        report: ({ message }) => report(message),
      });
    } catch (error) {
      // Without trust nothing is run at all; anything else is what the run came to.
      if (error instanceof ForgeError && error.code !== "CANCELLED" && error.code !== "TRUST_REQUIRED") return error;
      throw error;
    }
  }

  /** A check that changes the files it checks proves nothing about them. */
  async #runGuarded(how: CheckHow, place: Place): Promise<Ran> {
    const before = await this.#treeHash(place.root, place.signal);
    const ran = await this.#runOther(how, place);
    const after = await this.#treeHash(place.root, place.signal).catch(() => "gone");
    if (before === after) return ran;
    await place.renew();
    const why = "It changed files of the tree, so it proves nothing.";
    return { ...ran, outcome: "error", isError: true, isVoid: true, why };
  }

  async #runOther(how: CheckHow, { root, signal, deadlineMs }: Place): Promise<Ran> {
    if (how.type === "file") return checkFiles(root, how);
    if (how.type !== "command" && how.type !== "figure") throw new Error(`${how.type} is not run`);
    // Others may have written the check. What it runs is what the user has trusted, and nothing on the command line changes that.
    if (!isProjectCommand(root, how.command))
      return {
        outcome: "error",
        why: notAProjectCommand(how.command).message,
        ms: 0,
        isError: true,
        isUncollected: true,
      };
    const { code, why, output, ms } = await runTrustedCommand(this.#trust, root, how.command, {
      signal,
      deadlineMs: deadlineMs ?? defaultDeadlineMs,
    });
    if (code === undefined)
      return { outcome: "error", why: `The command did not finish: ${why}.`, ms, isError: true, isVoid: true };
    if (code !== 0) return { outcome: "failed", why: `${why}: ${lastLine(output)}`, ms };
    if (how.type === "command") return { outcome: "passed", why: `${how.command.join(" ")}: ${why}`, ms };
    return { ...(await judgeFigure(how, output)), ms };
  }
}

/** Why a file is not given to the runner. Others may have written the check, and a script is nothing that they can have run by it. */
async function whyNotTest(
  project: TestProject,
  detected: DetectedRunner | undefined,
  file: string,
): Promise<string | undefined> {
  if (!isProjectPath(file) || !project.isFile(file)) return "The test's file does not exist.";
  if (!detected || (await isTestFile(project, detected, file))) return undefined;
  return `It was not run: ${notATestFile(file, detected.runner.name).message}`;
}

/** Exit code 0 is not enough: exactly one test of that name must be in the report, and have passed. */
function judgeTest(how: Extract<CheckHow, { type: "test" }>, run: TestRun | ForgeError, text: string): Ran {
  if (run instanceof ForgeError) {
    // A tree without a test runner has no tests. Whatever else prevented the run need not be in the tree.
    const reason = run.code === "NOT_FOUND" ? { isUncollected: true as const } : { isVoid: true as const };
    return { outcome: "error", why: run.message, ms: 0, isError: true, ...reason };
  }
  const { id, durationMs: ms, cases = [], failures, origin, treeChanged, runner } = run;
  const evidence = { run: id, ms };
  const named = cases.filter(
    ({ name, file }) =>
      isSameName(name, how.name) && (file === undefined ? isDeclaredIn(how, text) : file === how.file),
  );
  const [found] = named;
  if (treeChanged)
    return { ...evidence, outcome: "error", isError: true, isVoid: true, why: "Files changed while it ran." };
  if (named.length > 1)
    return { ...evidence, outcome: "ambiguous", isVoid: true, why: `${named.length} tests have this name.` };
  if (!found) {
    const broken = failures.find(
      (failure) => isOfFile(failure, how.file) && !cases.some((one) => one.name === failure.name),
    );
    const isBroken = broken !== undefined || cases.length === 0;
    const why = broken ? `The file could not be run: ${firstLine(broken.message)}` : describeMissing(how, cases);
    return { ...evidence, outcome: "not_found", why, ...(isBroken && { isUncollected: true }) };
  }
  if (found.outcome === "skipped")
    return { ...evidence, outcome: "not_found", isVoid: true, why: "The test was skipped." };
  if (found.outcome === "failed") {
    const failure = failures.find(({ name, file }) => isSameName(name, how.name) && (file ?? how.file) === how.file);
    const isError = failure !== undefined && isErrorOf(failure);
    const isUncollected = failure?.type === "compile_error" || failure?.type === "missing_dependency";
    const why = `Failed: ${firstLine(failure?.message ?? "no message")}`;
    return {
      ...evidence,
      outcome: "failed",
      why,
      ...(isError && { isError }),
      ...(isUncollected && { isUncollected }),
    };
  }
  if (origin.from !== "tree")
    return {
      ...evidence,
      outcome: "unknown_origin",
      why: `It passed, but ${runner} did not show where the code came from.`,
    };
  return { ...evidence, outcome: "passed", why: `Passed with ${runner}.` };
}

function describeMissing({ file, name }: { file: string; name: string }, cases: NonNullable<TestRun["cases"]>): string {
  const known = cases.filter((one) => (one.file ?? file) === file && one.name !== name).map((one) => one.name);
  return ["No test has this name.", ...didYouMean(name, known)].join(" ").slice(0, 500);
}

/** Some runners do not say which file a test is in; one of the same name may be in another. */
function isDeclaredIn({ file, name }: { file: string; name: string }, text: string): boolean {
  const [top = ""] = name.split("/");
  const last = file.endsWith(".go") ? top : (name.split(/::|\./).at(-1) ?? name);
  const [own = ""] = last.split(/[([]/, 1);
  return listCodeLines(file, text, maxLines).some((line) => line.includes(own.trim()));
}

/** Runners join the names of suites and tests in their own ways. */
function isSameName(name: string, wanted: string): boolean {
  const plain = (text: string) => text.replaceAll(" > ", " ").trim();
  return plain(name) === plain(wanted);
}

function isOfFile({ file, name }: TestFailure, path: string): boolean {
  return (file ?? path) === path || name === path;
}

function isErrorOf({ type, message }: TestFailure): boolean {
  if (type !== undefined && type !== "test_failure") return true;
  // pytest says the first of fixtures that fail or are not there.
  return /^\s*(?:failed on setup with|TypeError|ReferenceError|SyntaxError|ImportError|NameError|AttributeError|ModuleNotFoundError)\b/.test(
    message,
  );
}

async function judgeFigure(
  { pattern, max, min }: Extract<CheckHow, { type: "figure" }>,
  output: string,
): Promise<Omit<Ran, "ms">> {
  const compiled = await compilePattern(pattern);
  if (!compiled) return invalidPattern(pattern);
  const matcher = compiled.matcher(output);
  const text = matcher.find() && matcher.groupCount() > 0 ? matcher.group(1) : null;
  const figure = Number(text);
  // An empty text would be 0.
  if (text === null || text.trim() === "" || !Number.isFinite(figure))
    return { outcome: "error", isError: true, why: "The command did not print the number." };
  const isWithin = (max === undefined || figure <= max) && (min === undefined || figure >= min);
  const bounds = [max === undefined ? "" : `at most ${max}`, min === undefined ? "" : `at least ${min}`].filter(
    Boolean,
  );
  return { outcome: isWithin ? "passed" : "failed", why: `The number is ${figure}; ${bounds.join(", ")}.` };
}

async function checkFiles(root: string, { path, pattern }: Extract<CheckHow, { type: "file" }>): Promise<Ran> {
  const project = new TestProject(root);
  const matches = await compileGlob(path);
  if (typeof matches === "string") return { outcome: "error", isError: true, why: matches, ms: 0 };
  const files = (await project.listFiles()).filter(matches);
  if (files.length === 0) return { outcome: "failed", why: `There is no file ${path}.`, ms: 0 };
  if (pattern === undefined) return { outcome: "passed", why: `${files[0]} is there.`, ms: 0, files };
  const compiled = await compilePattern(pattern);
  if (!compiled) return { ...invalidPattern(pattern), ms: 0 };
  // Whether a pattern is found tells, bit by bit, what is in a file: none that is not shown, and no secret in another.
  const found = files.find(
    (file) => isReadable(file) && compiled.matcher(redactor.lines(project.readText(file) ?? "")).find(),
  );
  return found === undefined
    ? { outcome: "failed", why: `No file ${path} contains /${pattern}/.`, ms: 0, files }
    : { outcome: "passed", why: `${found} contains it.`, ms: 0, files: [found] };
}

/** A check may come from a server, which need not have tried its pattern. */
function invalidPattern(pattern: string): Omit<Ran, "ms"> {
  return { outcome: "error", isError: true, why: `/${pattern}/ is not a valid pattern.` };
}

/** With the next one, if the first only announces it: "Expected values to be strictly equal:". */
function firstLine(text: string): string {
  const [first = "", second = ""] = text.split("\n").flatMap((line) => line.trim() || []);
  return (first.endsWith(":") ? `${first} ${second}` : first).trim().slice(0, 300);
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
