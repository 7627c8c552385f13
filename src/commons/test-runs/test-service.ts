import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Gate } from "../../platform/exec/gate.ts";
import { findExceededLimit } from "../../platform/exec/limits.ts";
import { type RunOptions, run, toExitReason } from "../../platform/exec/run.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { locateRepository } from "../../platform/git/run/locate-repository.ts";
import { listWorkTreeRoots } from "../../platform/git/worktrees/work-tree-roots.ts";
import { withTemporaryFolder } from "../../platform/state/temporary-folder.ts";
import type { Trust } from "../trust/index.ts";
import type { PinnedRunnable } from "../trust/runnable.ts";
import { runnerNotFound, runnerNotInstalled, testsKilled, testsLimited, testsTimedOut } from "./errors.ts";
import { judgeOrigin, type OriginEvidence } from "./origin/judge-origin.ts";
import { ProgressTicker } from "./progress-ticker.ts";
import { findPassedVariables } from "./project/configured-commands.ts";
import { type DetectedRunner, detectRunner } from "./project/detect-runner.ts";
import { createTestEnvironment, type TestEnvironment } from "./project/environment.ts";
import { selectIgnoredFiles } from "./project/ignored-files.ts";
import { pinCommand } from "./project/pinned-command.ts";
import { TestProject } from "./project/test-project.ts";
import { readWorkbenchFile, resolveLimits } from "./project/workbench-file.ts";
import { judgeRun } from "./reports/judge-run.ts";
import { keepEnd, RunOutput } from "./reports/run-output.ts";
import type { ReportReader, RunOrder, TestChoice } from "./runner.ts";
import { findEarlierFailures } from "./selection/earlier-failures.ts";
import { selectTests } from "./selection/select-tests.ts";
import type { IncludedTests, TestRequest, TestRun } from "./test-run.ts";
import type { TestRunStore } from "./test-run-store.ts";

const maxWaiting = 32;
const maxShownOutput = 8_000;
const maxErrorOutput = 2_000;
const waitingMessage = "waiting for another run of this project's tests";
const waitingMs = 3_000;
const maxEarlierRuns = 100;
const maxPassedAgeMs = 30 * 60_000;
const maxQuestionMs = 120_000;
const maxAnswerBytes = 32 * 1_048_576;

type PreparedRun = { project: TestProject; detected: DetectedRunner; pinned: PinnedRunnable[] };

export type TestServiceOptions = {
  trust: Pick<Trust, "require">;
  runs: TestRunStore;
  /** The hash of a folder's tree as git would write it; undefined outside a repository. */
  treeHash(root: string, signal: AbortSignal): Promise<string | undefined>;
  /** Whether a tool of Forge has written a file in a folder since then: what is put back before a run ends leaves the same tree. */
  hasWritten?(root: string, since: number): Promise<boolean>;
  /** What git ignores in a folder; none outside a repository. */
  ignoredFiles?(root: string, signal: AbortSignal): Promise<string[]>;
  /** The caller's environment; default: that of the process. */
  environment?: Readonly<Record<string, string | undefined>>;
  now?: () => number;
};

/** Runs a project's tests with the runner the project uses, one run of a project at a time, and keeps what they showed. */
export class TestService {
  readonly #options: TestServiceOptions;
  readonly #gate = new Gate(maxWaiting);

  constructor(options: TestServiceOptions) {
    this.#options = options;
  }

  async run(request: TestRequest): Promise<TestRun> {
    // Checked before the queue, so that a call without trust does not wait; the check after it is the one that counts.
    await this.#prepare(request.root);
    const waiting = setInterval(() => request.report({ done: 0, failed: 0, message: waitingMessage }), waitingMs);
    return this.#gate
      .pass(projectKey(request.root), request.signal, () => {
        clearInterval(waiting);
        return this.#runNow(request);
      })
      .finally(() => clearInterval(waiting));
  }

  /**
   * A run of all tests that passed on this very tree a moment ago. Files that git ignores could make a difference, so a run with
   * some counts for its own folder only.
   */
  async findPassed(tree: string, root: string): Promise<TestRun | undefined> {
    const project = new TestProject(root);
    const detected = await detectRunner(project);
    const { runs } = this.#options;
    const here = await runs.latest({ tree, root: project.root, limit: maxEarlierRuns });
    const anywhere = (await runs.latest({ tree, limit: maxEarlierRuns })).filter(({ ignored }) => !ignored);
    const since = this.#now() - maxPassedAgeMs;
    return [...here, ...anywhere].find(
      (run) =>
        run.at >= since &&
        run.status === "passed" &&
        run.included === "all" &&
        run.passed > 0 &&
        run.origin.from === "tree" &&
        run.runner === detected?.runner.name,
    );
  }

  /** An earlier run, if it is still kept. */
  find(id: string): Promise<TestRun | undefined> {
    return this.#options.runs.get(id);
  }

  async #runNow(request: TestRequest): Promise<TestRun> {
    const { project, detected, pinned } = await this.#prepare(request.root);
    const { runs } = this.#options;
    const before = request.scope === "failed" ? await runs.latest({ root: project.root, limit: maxEarlierRuns }) : [];
    const selection = request.only
      ? { choice: { kind: "tests" as const, files: request.only, names: [] }, notes: [] }
      : await selectTests(project, detected.runner, request, findEarlierFailures(before));
    if ("nothing" in selection) {
      const nothing = this.#nothing(request, detected, selection.nothing);
      await runs.save(project.root, nothing);
      return nothing;
    }
    const notes = [...detected.notes, ...selection.notes];
    return withTemporaryFolder("tests", (reports) =>
      this.#perform(request, { project, detected, pinned }, selection.choice, notes, reports),
    );
  }

  async #prepare(root: string): Promise<PreparedRun> {
    const project = new TestProject(root);
    const detected = await detectRunner(project);
    if (!detected) throw runnerNotFound(project.root);
    const pinned = await this.#options.trust.require(project.root, detected.runnables);
    if (detected.found.missing !== undefined) throw runnerNotInstalled(detected.runner.name, detected.found.missing);
    return { project, detected, pinned };
  }

  async #perform(
    request: TestRequest,
    { project, detected, pinned }: PreparedRun,
    choice: TestChoice,
    notes: string[],
    reports: string,
  ): Promise<TestRun> {
    const { runner, found, runnables } = detected;
    const { env: base, withheld } = this.#environment(pinned);
    const trees = listWorkTreeRoots(project.root);
    const order: RunOrder = { project, trees, base, found, choice, reports, coverage: request.coverage };
    const { words, notes: more = [], env: ofRun = {} } = await runner.words(order);
    const reading = runner.read(order);
    const lookedAt = this.#now();
    const tree = await this.#options.treeHash(project.root, request.signal);
    const ignored = selectIgnoredFiles((await this.#options.ignoredFiles?.(project.root, request.signal)) ?? []);
    const startedAt = this.#now();
    const began = performance.now();
    const ticker = new ProgressTicker(reading.progress, request.report);
    const output = new RunOutput((line) => {
      reading.line(line);
      ticker.update();
    });
    // What was checked is what runs, whatever has been put in its place since.
    const trusted = pinned.find(({ id }) => id === "workbench:testCommand")?.command;
    const pin = { root: project.root, folder: join(reports, "pinned"), searchPath: base["PATH"] };
    const command = trusted ? pinCommand(trusted, pinned, pin) : { words };
    const [program = "", ...args] = command.words;
    const env = { ...base, ...found.env, ...ofRun, ...command.env };
    const { limits, network } = readWorkbenchFile(project.root);
    const contained = { limits: resolveLimits(limits), withoutNetwork: network === "none" };
    const result = await run(program, args, {
      cwd: project.root,
      env,
      containment: "namespace",
      ...contained,
      signal: request.signal,
      deadlineMs: request.deadlineMs,
      onStdout: (chunk) => output.add("stdout", chunk),
      onStderr: (chunk) => output.add("stderr", chunk),
    }).finally(() => ticker.stop());
    const durationMs = Math.round(performance.now() - began);
    output.end();
    // Runners read their configuration themselves: a run during which it changed shows nothing.
    await this.#options.trust.require(project.root, runnables);
    const text = reading.shown?.() ?? output.text();
    const ending = toExitReason(result);
    const details = { command: words.slice(0, 5), output: keepEnd(text, maxErrorOutput) };
    if (ending.by === "deadline") throw testsTimedOut(request.deadlineMs, details);
    const exceeded = findExceededLimit(result.code, result.signal);
    if (exceeded !== undefined) throw testsLimited(exceeded, result.limits, details);
    if (ending.by === "signal") throw testsKilled(ending.signal, details);
    const ended = { exitCode: ending.code, startedAt, text };
    const missing = reading.missing?.(ended);
    if (missing !== undefined) throw runnerNotInstalled(runner.name, missing);
    const parsed = await reading.finish(ended);
    const after = await this.#options.treeHash(project.root, request.signal);
    const isChanged = tree !== after || (await this.#options.hasWritten?.(project.root, lookedAt)) === true;
    const asked = { cwd: project.root, env, signal: request.signal, ...contained };
    const origin = judgeOrigin(trees, await findOrigin(reading, asked));
    const { notes: ofVerdict, ...judged } = judgeRun({
      exitCode: ending.code,
      parsed,
      text,
      origin,
      root: project.root,
    });
    const outcome: TestRun = {
      id: createRunId(),
      at: startedAt,
      runner: runner.name,
      command: words,
      scope: request.scope,
      included: toIncluded(choice),
      ...judged,
      durationMs,
      exitCode: ending.code,
      ...(parsed?.coverage && { coverage: parsed.coverage }),
      ...(request.only && { cases: parsed?.cases ?? [] }),
      ...(tree !== undefined && { tree }),
      ...(isChanged && { treeChanged: true }),
      origin,
      withheld,
      limits: result.limits,
      ...(ignored && { ignored }),
      notes: [...notes, ...more, ...ofVerdict],
      output: keepEnd(text, maxShownOutput),
    };
    await this.#options.runs.save(project.root, outcome);
    return outcome;
  }

  #nothing(request: TestRequest, { runner }: DetectedRunner, why: string): TestRun {
    request.report({ done: 0, failed: 0, message: "no tests to run" });
    return {
      id: createRunId(),
      at: this.#now(),
      runner: runner.name,
      command: [],
      scope: request.scope,
      included: { files: [], names: [] },
      status: "passed",
      total: 0,
      passed: 0,
      failed: 0,
      skipped: 0,
      durationMs: 0,
      exitCode: 0,
      failures: [],
      omittedFailures: 0,
      origin: { from: "unknown" },
      withheld: [],
      notes: [`No tests ran. ${why}`],
      output: "",
    };
  }

  #environment(pinned: readonly PinnedRunnable[]): TestEnvironment {
    return createTestEnvironment(this.#options.environment, findPassedVariables(pinned));
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

/** Asked of the runner's own records, or of a program of the toolchain in the environment of the run. */
async function findOrigin(
  reading: ReportReader,
  options: Pick<RunOptions, "limits" | "withoutNetwork"> & {
    cwd: string;
    env: Record<string, string>;
    signal: AbortSignal;
  },
): Promise<OriginEvidence> {
  if (!reading.origin) return { unknown: "" };
  return reading.origin(async ([program = "", ...args]) => {
    const result = await run(program, args, {
      ...options,
      containment: "namespace",
      deadlineMs: maxQuestionMs,
      maxOutputBytes: maxAnswerBytes,
    });
    return result.code === 0 && !result.truncated ? result.stdout.toString() : undefined;
  });
}

function toIncluded(choice: TestChoice): IncludedTests {
  if (choice.kind === "all") return "all";
  return choice.kind === "related" ? "unknown" : { files: choice.files, names: choice.names };
}

function createRunId(): string {
  return `test_${randomBytes(8).toString("hex")}`;
}

/** Work trees of one repository wait for each other: their tests often share ports and databases. */
function projectKey(root: string): string {
  return locateRepository(root)?.commonDir ?? realPlace(root);
}
