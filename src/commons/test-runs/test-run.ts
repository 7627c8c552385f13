import type { TestCase } from "./runner.ts";

/** What to run, and where. */
export type TestRequest = {
  /** The work tree that is tested. */
  root: string;
  scope: "all" | "related_to_files" | "failed";
  /** Paths from the root; for `related_to_files`. */
  files: readonly string[];
  /** Only these test files, whatever the scope is; the run then lists every test by name. */
  only?: readonly string[];
  /** None means every type. */
  types: readonly TestType[];
  coverage: boolean;
  deadlineMs: number;
  signal: AbortSignal;
  /** At most a few times a second, and never after the run's end. */
  report(progress: TestProgress): void;
};

export const testTypes = ["unit", "integration", "e2e", "performance"] as const;
export type TestType = (typeof testTypes)[number];

export type TestProgress = { done: number; total?: number; failed: number; message: string };

/** What kind of problem a failure is, for whoever has to fix it. */
export const failureTypes = [
  "test_failure",
  "compile_error",
  "missing_dependency",
  "timeout",
  "panic",
  "wrong_origin",
] as const;
export type FailureType = (typeof failureTypes)[number];

export type TestFailure = {
  name: string;
  file?: string;
  line?: number;
  message: string;
  type?: FailureType;
  /** What to do about it, where that follows from the message. */
  suggestion?: string;
};

/**
 * Where the tested code came from. `tree`: shown to be the folder that the tests ran in; `elsewhere`: shown not to be, so the run
 * has failed; `unknown`: not shown, so the run proves nothing about the folder.
 */
export type TestOrigin = { from: "tree" | "elsewhere" | "unknown"; why?: string; files?: string[] };

/** Files that git ignores and a run could use: its result holds for the tree plus these. */
export type IgnoredFiles = { names: string[]; omitted: number };

export type Coverage = { lines_covered: number; total_lines: number; percentage: number };

const runnerNames = [
  "vitest",
  "jest",
  "mocha",
  "node:test",
  "pytest",
  "cargo",
  "go",
  "maven",
  "gradle",
  "configured",
] as const;
export type RunnerName = (typeof runnerNames)[number];

/** The tests that a run took in, as far as it is known from outside; without names, all those of the files. */
export type IncludedTests = "all" | "unknown" | { files: readonly string[]; names: readonly string[] };

/** What a run of the tests showed, and on what. The verdict is the runner's exit code; the numbers are its own report. */
export type TestRun = {
  /** `test_…`; evidence refers to it. */
  id: string;
  at: number;
  runner: RunnerName;
  /** The words that were run; none where there was nothing to run, and then it is evidence of nothing. */
  command: string[];
  scope: TestRequest["scope"];
  included: IncludedTests;
  status: "passed" | "failed";
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  durationMs: number;
  exitCode: number;
  /** It failed before any test ran, so the numbers above are not a count of tests. */
  uncounted?: true;
  failures: TestFailure[];
  /** Failures beyond those listed. */
  omittedFailures: number;
  coverage?: Coverage;
  /** Hash of the tree it ran on, as git would write it; undefined outside a repository. */
  tree?: string;
  /** Where that tree had changed by the end of the run, the result is evidence for neither. */
  treeChanged?: boolean;
  origin: TestOrigin;
  /** Names of the caller's variables that the run did not get. */
  withheld: string[];
  ignored?: IgnoredFiles;
  /** What its processes were allowed to use, in words. */
  limits?: string[];
  /** Every test by name, if the request was for certain files; not kept. */
  cases?: TestCase[];
  /** What could not be told exactly: "counts are read from text". */
  notes: string[];
  /** The end of its output, cleaned. */
  output: string;
};
