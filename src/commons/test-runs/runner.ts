import type { WorkTreeRoots } from "../../platform/git/worktrees/work-tree-roots.ts";
import type { Runnable } from "../trust/runnable.ts";
import type { OriginEvidence } from "./origin/judge-origin.ts";
import type { TestProject } from "./project/test-project.ts";
import type { Coverage, RunnerName, TestFailure, TestType } from "./test-run.ts";

/** A runner that a project uses, and how to start it. */
export type FoundRunner = {
  /** Names the command for people and for their trust: what is the same in every run. */
  words: readonly string[];
  /** The program, and the words that belong to it. */
  program: readonly string[];
  /** What the project adds to every run. */
  extra: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Why it cannot be started as things are. */
  missing?: string | undefined;
  /** Files of the project that are run besides, by content. */
  files: readonly Runnable[];
  notes: readonly string[];
};

/** What of the tests to run. */
export type TestChoice =
  | { kind: "all" }
  /** Files of any kind; the runner itself finds the tests that depend on them. */
  | { kind: "related"; files: readonly string[] }
  /** Test files, and where only some of their tests are meant, the names of those. */
  | { kind: "tests"; files: readonly string[]; names: readonly string[] };

export type RunOrder = {
  project: TestProject;
  /** The work tree that is tested, and the others of its repository. */
  trees: WorkTreeRoots;
  /** What the run gets of the caller's environment. */
  base: Readonly<Record<string, string>>;
  found: FoundRunner;
  choice: TestChoice;
  /** A private folder for reports. */
  reports: string;
  coverage: boolean;
};

export type Counts = { passed: number; failed: number; skipped: number };

/** One test in a report, by the runner's own name for it. */
export type TestCase = { name: string; file?: string; outcome: keyof Counts };

export type ParsedReport = Counts & {
  /** Every test by name, where the runner names those that pass. */
  cases?: TestCase[];
  failures: TestFailure[];
  coverage?: Coverage | undefined;
  notes: string[];
};

export type Progress = { done: number; total?: number; failed: number };

/** What a program of the project's toolchain prints, in the environment of the run; undefined where it fails. */
export type AskProgram = (words: readonly string[]) => Promise<string | undefined>;

type RunEnd = { exitCode: number; startedAt: number; text: string };

/** Reads what one run says, while it runs and at its end. */
export type ReportReader = {
  /** Sees every line of both streams as it comes. */
  line(line: string): void;
  progress(): Progress;
  /** What a person would have seen, where that is not what the runner printed. */
  shown?(): string;
  /** What was not there to run the tests with, where that is why it ended. */
  missing?(ended: RunEnd): string | undefined;
  /** Where the tested code came from, asked after the run; without it that is unknown. */
  origin?(ask: AskProgram): Promise<OriginEvidence>;
  /** Undefined where the runner left nothing that can be read. */
  finish(ended: RunEnd): Promise<ParsedReport | undefined>;
};

export type Runner = {
  name: RunnerName;
  /** Whether the project uses it, by its files alone. */
  find(project: TestProject): Promise<FoundRunner | undefined>;
  isTest(path: string): boolean;
  /** Whether a file that is none by its path says in its text that it is. */
  saysTest?(project: TestProject, path: string): boolean;
  /** Where the runner's own rules say more than a path does. */
  typeOf?(path: string): TestType | undefined;
  /** Finds by itself what depends on a file. */
  relatesItself?: true;
  /** The same by our own look, where imports and names do not tell. */
  related?(project: TestProject, sources: readonly string[]): Promise<readonly string[]>;
  /** Runs one test of a file by its name. */
  picksByName?: true;
  /** Of the files that it is given, it runs those that are tests by its own rules, and no other. */
  runsTestsOnly?: true;
  /** Everything is all it can run. */
  onlyAll?: true;
  words(order: RunOrder): Promise<{ words: string[]; notes?: string[]; env?: Readonly<Record<string, string>> }>;
  read(order: RunOrder): ReportReader;
};
