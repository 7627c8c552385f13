import { randomBytes } from "node:crypto";
import { Gate } from "../../platform/exec/gate.ts";
import { endingOf, run } from "../../platform/exec/run.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { locateRepository } from "../../platform/git/run/locate-repository.ts";
import { withTemporaryFolder } from "../../platform/state/temporary-folder.ts";
import type { Trust } from "../trust/index.ts";
import { runnerNotFound, runnerNotInstalled, testsKilled, testsTimedOut } from "./errors.ts";
import { ProgressTicker } from "./progress-ticker.ts";
import { type DetectedRunner, detectRunner } from "./project/detect-runner.ts";
import { createTestEnvironment } from "./project/environment.ts";
import { TestProject } from "./project/test-project.ts";
import { judgeRun } from "./reports/judge-run.ts";
import { keepEnd, RunOutput } from "./reports/run-output.ts";
import type { RunOrder, TestChoice } from "./runner.ts";
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

export type TestServiceOptions = {
  trust: Pick<Trust, "require">;
  runs: TestRunStore;
  /** The hash of a folder's tree as git would write it; undefined outside a repository. */
  treeHash(root: string, signal: AbortSignal): Promise<string | undefined>;
  /** What the tests know of ours; the allow-list unless told. */
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

  /** An earlier run, if it is still kept. */
  find(id: string): Promise<TestRun | undefined> {
    return this.#options.runs.get(id);
  }

  async #runNow(request: TestRequest): Promise<TestRun> {
    const { project, detected } = await this.#prepare(request.root);
    const { runs } = this.#options;
    const before = request.scope === "failed" ? await runs.latest({ root: project.root, limit: maxEarlierRuns }) : [];
    const selection = await selectTests(project, detected.runner, request, findEarlierFailures(before));
    if ("nothing" in selection) {
      const nothing = this.#nothing(request, detected, selection.nothing);
      await runs.save(project.root, nothing);
      return nothing;
    }
    const notes = [...detected.notes, ...selection.notes];
    return withTemporaryFolder("tests", (reports) =>
      this.#perform(request, project, detected, selection.choice, notes, reports),
    );
  }

  async #prepare(root: string): Promise<{ project: TestProject; detected: DetectedRunner }> {
    const project = new TestProject(root);
    const detected = await detectRunner(project);
    if (!detected) throw runnerNotFound(project.root);
    await this.#options.trust.require(project.root, detected.runnables);
    if (detected.found.missing !== undefined) throw runnerNotInstalled(detected.runner.name, detected.found.missing);
    return { project, detected };
  }

  async #perform(
    request: TestRequest,
    project: TestProject,
    { runner, found }: DetectedRunner,
    choice: TestChoice,
    notes: string[],
    reports: string,
  ): Promise<TestRun> {
    const order: RunOrder = { project, found, choice, reports, coverage: request.coverage };
    const { words, notes: more = [], env: ofRun = {} } = await runner.words(order);
    const reading = runner.read(order);
    const tree = await this.#options.treeHash(project.root, request.signal);
    const startedAt = this.#now();
    const began = performance.now();
    const ticker = new ProgressTicker(reading.progress, request.report);
    const output = new RunOutput((line) => {
      reading.line(line);
      ticker.update();
    });
    const [program = "", ...args] = words;
    const env = { ...createTestEnvironment(this.#options.environment), ...runner.env, ...found.env, ...ofRun };
    const result = await run(program, args, {
      cwd: project.root,
      env,
      containment: "namespace",
      signal: request.signal,
      deadlineMs: request.deadlineMs,
      onStdout: (chunk) => output.add("stdout", chunk),
      onStderr: (chunk) => output.add("stderr", chunk),
    }).finally(() => ticker.stop());
    const durationMs = Math.round(performance.now() - began);
    output.end();
    const text = reading.shown?.() ?? output.text();
    const ending = endingOf(result);
    const details = { command: words.slice(0, 5), output: keepEnd(text, maxErrorOutput) };
    if (ending.by === "deadline") throw testsTimedOut(request.deadlineMs, details);
    if (ending.by === "signal") throw testsKilled(ending.signal, details);
    const ended = { exitCode: ending.code, startedAt, text };
    const missing = reading.missing?.(ended);
    if (missing !== undefined) throw runnerNotInstalled(runner.name, missing);
    const parsed = await reading.finish(ended);
    const after = await this.#options.treeHash(project.root, request.signal);
    const { notes: ofVerdict, ...judged } = judgeRun(ending.code, parsed, text);
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
      ...(tree !== undefined && { tree }),
      ...(tree !== after && { treeChanged: true }),
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
      notes: [`No tests ran. ${why}`],
      output: "",
    };
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
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
