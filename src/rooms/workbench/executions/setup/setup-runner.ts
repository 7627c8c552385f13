import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import type { Advice } from "../../model/advice.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { joinNames } from "../join-names.ts";
import { createRecoverySignal } from "../recovery/execution-recovery.ts";
import { reportStage } from "../timeline/report-progress.ts";
import { createOwnActor, type Timeline } from "../timeline/timeline.ts";
import { describeSetupLeftovers, findSetupLeftovers } from "./leftovers.ts";
import { recordInterruptedSetup, recordSetup } from "./record-setup.ts";

/** The set-up command failed; what is left of the execution is not known yet. */
export class SetupFailure extends Error {
  readonly command: string[];
  readonly output: string;

  constructor({ command, output }: { command: string[]; output: string }) {
    super("the set-up command failed");
    this.command = command;
    this.output = output;
  }
}

/** Runs the project's set-up command in a new work tree, and records what it leaves behind. */
export class SetupRunner {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;

  constructor(deps: ExecutionDeps, timeline: Timeline) {
    this.#deps = deps;
    this.#timeline = timeline;
  }

  async run(call: Call, execution: Execution): Promise<Advice> {
    try {
      return { warnings: await this.#run(call, execution), next: [] };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "TRUST_REQUIRED") throw error;
      return { warnings: [`The set-up command did not run. ${error.message}`], next: (error.next ?? []).slice(0, 1) };
    }
  }

  async #run(call: Call, execution: Execution): Promise<string[]> {
    const outcome = await this.#runCommand(call, execution);
    if (!outcome) return this.#clonePackages(call, execution);
    const { command, passed, output } = outcome;
    const left = await findSetupLeftovers(this.#deps, execution, call.signal);
    const message = `${command.join(" ")} ${passed ? "set up the work tree" : "failed"}`;
    const recorder = { deps: this.#deps, timeline: this.#timeline, by: call };
    await recordSetup(recorder, execution, left, { message, details: { command, passed, output } });
    if (!passed) throw new SetupFailure(outcome);
    return describeSetupLeftovers(left);
  }

  /** Without a set-up command: packages that are the same as in the project's folder need not be installed again. */
  async #clonePackages(call: Call, execution: Execution): Promise<string[]> {
    try {
      const cloned = await this.#deps.settings.clonePackages(execution.root, call.signal);
      if (cloned.length === 0) return [];
      const message = `took ${joinNames(cloned, 5)} over from the project's folder`;
      await this.#timeline.change(call, execution.id, () => ({
        events: [{ kind: "setup", message, details: { packages: cloned } }],
      }));
      return [];
    } catch (error) {
      if (call.signal.aborted || !(error instanceof Error)) throw error;
      return [`The installed packages could not be taken over from the project's folder: ${error.message}`];
    }
  }

  async #runCommand(call: Call, execution: Execution) {
    let progress = 0;
    const report = (message: string) => {
      progress += (1 - progress) / 50;
      reportStage(call, execution, progress, "setup", message);
    };
    try {
      return await this.#deps.settings.runSetup(execution.root, { signal: call.signal, report });
    } catch (error) {
      if (call.signal.aborted) await this.#recordInterruption(execution);
      throw error;
    }
  }

  /** The call has ended already, so this is Forge's own doing. */
  async #recordInterruption(execution: Execution): Promise<void> {
    const by = createOwnActor("forge recover", localPrincipal("forge"), this.#deps.now());
    await recordInterruptedSetup({ deps: this.#deps, timeline: this.#timeline, by }, execution, createRecoverySignal());
  }
}
