import type { Call } from "../../../../kernel/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { Parts } from "../deps.ts";
import { keptSentences } from "../finish/messages.ts";
import { type Settled, untilSettled } from "../recovery/recovery.ts";
import { reportStage } from "../timeline/progress.ts";
import { type Journal, ownAccord } from "../timeline/timeline.ts";
import { leftBySetUp, leftWords } from "./leftovers.ts";
import { noteCutOff, noteSetUp } from "./record.ts";

/** The project's set-up command failed, before it is known what is left of the execution. */
export class SetUpFailure extends Error {
  readonly command: string[];
  readonly output: string;

  constructor({ command, output }: { command: string[]; output: string }) {
    super("the set-up command failed");
    this.command = command;
    this.output = output;
  }
}

/** Has the project's own command make a new work tree ready, and remembers what it leaves there. */
export class SettingUp {
  readonly #parts: Parts;
  readonly #journal: Journal;

  constructor(parts: Parts, journal: Journal) {
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
    const left = await leftBySetUp(this.#parts, execution, call.signal);
    const message = `${command.join(" ")} ${passed ? "made the work tree ready" : "failed"}`;
    const here = { parts: this.#parts, journal: this.#journal, by: call };
    await noteSetUp(here, execution, left, { message, details: { command, passed, output } });
    if (!passed) throw new SetUpFailure(outcome);
    return leftWords(left);
  }

  async #outcome(call: Call, execution: Execution) {
    let told = 0;
    const report = (message: string) => {
      told += (1 - told) / 50;
      reportStage(call, execution, told, "setup", message);
    };
    try {
      return await this.#parts.ways.setUp(execution.root, { signal: call.signal, report });
    } catch (error) {
      if (call.signal.aborted) await this.#cutOff(execution);
      throw error;
    }
  }

  /** The call is over already. */
  async #cutOff(execution: Execution): Promise<void> {
    const by = ownAccord("forge recover", localPrincipal("forge"), this.#parts.now());
    await noteCutOff({ parts: this.#parts, journal: this.#journal, by }, execution, untilSettled());
  }
}

/** `undone`: what became of the execution's branch and work tree. */
export function setUpFailed({ command, output }: SetUpFailure, undone: Settled | undefined): ForgeError {
  const { kept = [], removed = [] } = undone?.tidied ?? {};
  const rest =
    kept.length === 0
      ? "Its branch and work tree are removed again."
      : `Something would be lost with them. ${keptSentences(kept).join(" ")}`;
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
