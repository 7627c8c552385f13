import { randomBytes } from "node:crypto";
import { join, relative } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { Gate } from "../../platform/exec/gate.ts";
import { findExceededLimit } from "../../platform/exec/limits.ts";
import { type RunResult, run, toExitReason } from "../../platform/exec/run.ts";
import { findProgram } from "../../platform/exec/search-path.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { writePrivateFile } from "../../platform/files/write/private-file.ts";
import { isInside, locateRepository } from "../../platform/git/run/locate-repository.ts";
import { isFolder } from "../../platform/state/project.ts";
import { withTemporaryFolder } from "../../platform/state/temporary-folder.ts";
import { hasInstalled } from "../guard/installed-files.ts";
import { createTestEnvironment } from "../test-runs/project/environment.ts";
import { pinCommand } from "../test-runs/project/pinned-command.ts";
import { TestProject } from "../test-runs/project/test-project.ts";
import { readWorkbenchFile, resolveLimits } from "../test-runs/project/workbench-file.ts";
import { cleanText, keepEnd } from "../test-runs/reports/run-output.ts";
import type { Trust } from "../trust/index.ts";
import type { PinnedRunnable, Runnable } from "../trust/runnable.ts";
import { type Check, checkRunnables, checksFor, detectStacks } from "./checks.ts";
import { type CheckResult, type CompletionRun, maxShownOutput, type Stack } from "./completion-run.ts";
import { contractKilled, contractTimedOut, folderNotCovered, installedFolder, notAFolder } from "./errors.ts";
import { contractScriptNames } from "./script-names.ts";
import { readScriptOutput } from "./script-output.ts";

export type CompletionRequest = {
  stack: Stack | "auto";
  /** Relative to the project; default: its root. */
  workingDir: string | undefined;
  signal: AbortSignal;
  deadlineMs: number;
  report(progress: { done: number; message: string }): void;
};

type ServiceOptions = {
  root: string;
  trust: Pick<Trust, "require">;
  environment?: Readonly<Record<string, string | undefined>>;
};

/** What was checked, and a private folder to run it from. */
type PinnedPlace = { root: string; folder: string; pinned: readonly PinnedRunnable[] };

const maxWaiting = 8;
const maxErrorOutput = 2_000;
const progressMs = 2_000;

/** Decides whether a project's work is complete: by the project's own script, or by checks for the stacks that it uses. */
export class CompletionService {
  readonly #options: ServiceOptions;
  readonly #gate = new Gate(maxWaiting);

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  async run(request: CompletionRequest): Promise<CompletionRun> {
    const root = realPlace(this.#options.root);
    const given = request.workingDir ?? ".";
    if (given.includes("\0")) throw notAFolder(given);
    const folder = realPlace(join(root, given));
    const isOurs = folder === root || isInside(folder, root);
    if (!isOurs || !isFolder(folder)) throw notAFolder(given);
    // Its scripts may have the words of the project's, which the user has trusted; their code is others'.
    if (hasInstalled(relative(root, folder))) throw installedFolder(given);
    return this.#gate.pass(root, request.signal, () => {
      const script = contractScriptNames.find((name) => entryAt(join(root, name)));
      return script === undefined ? this.#runChecks(request, folder) : this.#runScript(request, root, folder, script);
    });
  }

  /** What was trusted is what runs: the bytes that were checked, from a folder that nothing else writes to. */
  async #runScript(request: CompletionRequest, root: string, folder: string, script: string): Promise<CompletionRun> {
    const [pinned] = await this.#options.trust.require(root, [{ id: `script:${script}`, file: script }]);
    const began = performance.now();
    return withTemporaryFolder("completion", async (temporary) => {
      const copy = join(temporary, "cc-verify.sh");
      await writePrivateFile(copy, pinned?.bytes ?? Buffer.alloc(0));
      // The root comes first: the script takes an option in its place for a folder.
      const env = request.stack === "auto" ? {} : { CC_STACK: request.stack };
      const { code, text } = await this.#execute(["bash", copy, folder], folder, env, request, script);
      const read = readScriptOutput(text);
      return {
        ...this.#describe(request, text, began, `${script}`),
        status: code === 0 ? (read.isPassed ? "PASS" : "NO_STACK") : "FAIL",
        stacks: read.stacks,
        checks: read.checks,
        exit_code: code,
      };
    });
  }

  async #runChecks(request: CompletionRequest, folder: string): Promise<CompletionRun> {
    const project = new TestProject(folder);
    const stacks = request.stack === "auto" ? await detectStacks(project) : [request.stack];
    const checks = (await Promise.all(stacks.map((stack) => checksFor(stack, project)))).flat();
    const pinned = checks.length === 0 ? [] : await this.#requireTrust(folder, await checkRunnables(checks, project));
    const began = performance.now();
    const results: CheckResult[] = [];
    let text = "";
    for (const [index, check] of checks.entries()) {
      request.report({ done: index, message: check.words.slice(0, 4).join(" ") });
      const { result, output } = await withTemporaryFolder("completion", (place) =>
        this.#runCheck(check, { root: folder, folder: place, pinned }, request),
      );
      results.push(result);
      text += `$ ${result.check}\n${output}\n`;
    }
    const decisive = results.filter(({ outcome }) => outcome === "passed" || outcome === "failed");
    const isFailed = decisive.some(({ outcome }) => outcome === "failed");
    return {
      ...this.#describe(request, text, began, "Forge's built-in checks"),
      status: isFailed ? "FAIL" : decisive.length > 0 ? "PASS" : "NO_STACK",
      stacks,
      checks: results,
    };
  }

  /** Files are known by their place in the project. Trust covers few of those in its other folders. */
  async #requireTrust(folder: string, runnables: readonly Runnable[]): Promise<PinnedRunnable[]> {
    const { trust } = this.#options;
    const top = locateRepository(folder)?.workTree ?? folder;
    const within = relative(top, folder);
    if (within === "") return trust.require(folder, runnables);
    const pinned = await trust.require(
      folder,
      runnables.filter(({ file }) => file === undefined),
    );
    const files = runnables.flatMap(({ id, file }) => {
      if (file === undefined) return [];
      const path = join(within, file).replaceAll("\\", "/");
      return [{ id: id.replace(file, () => path), file: path }];
    });
    try {
      return [...pinned, ...(await trust.require(top, files))];
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "TRUST_REQUIRED") throw error;
      throw folderNotCovered(
        within,
        files.map(({ file }) => file),
      );
    }
  }

  async #runCheck(check: Check, { root, folder, pinned }: PinnedPlace, request: CompletionRequest) {
    const { stack, words, isAdvice = false, nothingCode, env = {} } = check;
    const shown = [words[0]?.split("/").at(-1), ...words.slice(1, 6)].join(" ").slice(0, 200);
    const [program = ""] = words;
    const environment = createTestEnvironment(this.#options.environment).env;
    if (!program.includes("/") && findProgram(program, environment) === undefined) {
      const why = `${program} is not installed`;
      return { result: { stack, check: shown, outcome: "skipped" as const, why }, output: `skipped: ${why}` };
    }
    const began = performance.now();
    const command = pinCommand(words, pinned, { root, folder, searchPath: environment["PATH"] });
    const { code, text } = await this.#execute(command.words, root, { ...env, ...command.env }, request, shown);
    if (code === nothingCode) {
      const why = "there is nothing to check";
      return { result: { stack, check: shown, outcome: "skipped" as const, why }, output: text };
    }
    const outcome = code === 0 ? "passed" : isAdvice ? "warned" : "failed";
    const result: CheckResult = { stack, check: shown, outcome, duration_ms: Math.round(performance.now() - began) };
    return { result, output: text };
  }

  async #execute(
    words: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>>,
    { signal, deadlineMs, report }: CompletionRequest,
    name: string,
  ): Promise<{ code: number; text: string }> {
    const [program = "", ...args] = words;
    const began = Date.now();
    const ticker = setInterval(
      () => report({ done: 0, message: `${name}, ${Math.round((Date.now() - began) / 1000)} s` }),
      progressMs,
    );
    const { limits, network } = readWorkbenchFile(this.#options.root);
    const result = await run(program, args, {
      cwd,
      limits: resolveLimits(limits),
      withoutNetwork: network === "none",
      env: { ...createTestEnvironment(this.#options.environment).env, ...env },
      containment: "namespace",
      signal,
      deadlineMs,
    }).finally(() => clearInterval(ticker));
    const text = textOf(result);
    const ending = toExitReason(result);
    if (ending.by === "deadline") throw contractTimedOut(deadlineMs, keepEnd(text, maxErrorOutput));
    const exceeded = findExceededLimit(result.code, result.signal);
    if (exceeded !== undefined) throw contractKilled(`the limit on ${exceeded}`, keepEnd(text, maxErrorOutput));
    if (ending.by === "signal") throw contractKilled(ending.signal, keepEnd(text, maxErrorOutput));
    return { code: ending.code, text };
  }

  #describe({ workingDir }: CompletionRequest, text: string, began: number, ranBy: string) {
    return {
      id: `cc_${randomBytes(8).toString("hex")}`,
      output: keepEnd(text, maxShownOutput),
      duration_ms: Math.round(performance.now() - began),
      ran_by: ranBy,
      working_dir: workingDir ?? ".",
    };
  }
}

function textOf({ stdout, stderr }: RunResult): string {
  return cleanText([stdout, stderr].map((stream) => stream.toString()).join(stdout.length > 0 ? "\n" : "")).trim();
}
