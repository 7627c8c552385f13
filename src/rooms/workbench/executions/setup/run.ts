import type { Call } from "../../../../kernel/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../deps.ts";
import { describeKept } from "../finish/messages.ts";
import { createRecoverySignal, type RecoveryResult } from "../recovery/recovery.ts";
import { reportStage } from "../timeline/progress.ts";
import { createOwnActor, type Timeline } from "../timeline/timeline.ts";
import { describeSetupLeftovers, findSetupLeftovers } from "./leftovers.ts";
import { recordInterruptedSetup, recordSetup } from "./record.ts";

/** The project's set-up command failed, before it is known what is left of the execution. */
export class SetupFailure extends Error {
  readonly command: string[];
  readonly output: string;

  constructor({ command, output }: { command: string[]; output: string }) {
    super("the set-up command failed");
    this.command = command;
    this.output = output;
  }
}

/** Has the project's own command make a new work tree ready, and remembers what it leaves there. */
export class SetupRunner {
  readonly #parts: ExecutionDeps;
  readonly #journal: Timeline;

  constructor(parts: ExecutionDeps, journal: Timeline) {
    this.#parts = parts;
    this.#journal = journal;
  }

  /** What there is to be told of it. */
  async run(call: Call, execution: Execution): Promise<string[]> {
    try {
      return await this.#run(call, execution);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "TRUST_REQUIRED") throw error;
      return [`The set-up command was not run. ${error.message} ${error.next?.[0] ?? ""}`.trim()];
    }
  }

  async #run(call: Call, execution: Execution): Promise<string[]> {
    const outcome = await this.#outcome(call, execution);
    if (!outcome) return [];
    const { command, passed, output } = outcome;
    const left = await findSetupLeftovers(this.#parts, execution, call.signal);
    const message = `${command.join(" ")} ${passed ? "made the work tree ready" : "failed"}`;
    const here = { parts: this.#parts, journal: this.#journal, by: call };
    await recordSetup(here, execution, left, { message, details: { command, passed, output } });
    if (!passed) throw new SetupFailure(outcome);
    return describeSetupLeftovers(left);
  }

  async #outcome(call: Call, execution: Execution) {
    let told = 0;
    const report = (message: string) => {
      told += (1 - told) / 50;
      reportStage(call, execution, told, "setup", message);
    };
    try {
      return await this.#parts.settings.runSetup(execution.root, { signal: call.signal, report });
    } catch (error) {
      if (call.signal.aborted) await this.#cutOff(execution);
      throw error;
    }
  }

  /** The call is over already. */
  async #cutOff(execution: Execution): Promise<void> {
    const by = createOwnActor("forge recover", localPrincipal("forge"), this.#parts.now());
    await recordInterruptedSetup({ parts: this.#parts, journal: this.#journal, by }, execution, createRecoverySignal());
  }
}

/** `undone`: what became of the execution's branch and work tree. */
export function setupFailed({ command, output }: SetupFailure, undone: RecoveryResult | undefined): ForgeError {
  const { kept = [], removed = [] } = undone?.tidied ?? {};
  const rest =
    kept.length === 0
      ? "Its branch and work tree are removed again."
      : `Something would be lost with them. ${describeKept(kept).join(" ")}`;
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `\`${command.join(" ")}\`, the project's set-up command, failed in the new work tree, so the task was not begun. ${rest}`,
    {
      details: { command, output, kept, removed },
      next: [
        "Read its output, put right what is wrong, and call forge_execute_task again.",
        ...(kept.length > 0 ? ["A person looks at what was kept, and removes it by hand as it says there."] : []),
      ],
    },
  );
}
