import { findExceededLimit } from "../../platform/exec/limits.ts";
import { run, toExitReason } from "../../platform/exec/run.ts";
import type { Trust } from "../trust/index.ts";
import { findPassedVariables, listCheckRunnables, listPassedVariables } from "./project/configured-commands.ts";
import { createTestEnvironment } from "./project/environment.ts";
import { readWorkbenchFile, resolveLimits } from "./project/workbench-file.ts";
import { cleanText, keepEnd } from "./reports/run-output.ts";
import { withTrustedCommand } from "./with-trusted-command.ts";

const maxShownOutput = 8_000;

export type CommandOutcome = { code: number | undefined; why: string; output: string; ms: number };

/** Runs one command of a trusted project as its tests are run: contained, limited, and to its end. */
export async function runTrustedCommand(
  trust: Pick<Trust, "require">,
  root: string,
  words: readonly string[],
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
): Promise<CommandOutcome> {
  const { limits, network } = readWorkbenchFile(root);
  // The variables that the project asks for are allowed like the command.
  const passed = listPassedVariables(root);
  const { env } = createTestEnvironment(undefined, findPassedVariables(passed));
  const runnables = [...listCheckRunnables(root, words), ...passed];
  const order = { root, words, runnables, searchPath: env["PATH"] };
  let ms = 0;
  const result = await withTrustedCommand(trust, order, async (command) => {
    const [program = "", ...args] = command.words;
    const began = performance.now();
    const ended = await run(program, args, {
      cwd: root,
      env: { ...env, ...command.env },
      containment: "namespace",
      limits: resolveLimits(limits),
      withoutNetwork: network === "none",
      signal,
      deadlineMs,
    });
    ms = Math.round(performance.now() - began);
    return ended;
  });
  const output = keepEnd(cleanText(`${result.stdout.toString()}${result.stderr.toString()}`), maxShownOutput);
  const ending = toExitReason(result);
  const exceeded = findExceededLimit(result.code, result.signal);
  if (ending.by === "exit" && exceeded === undefined)
    return { code: ending.code, why: `exit code ${ending.code}`, output, ms };
  const why =
    ending.by === "deadline"
      ? `it took longer than ${deadlineMs / 1_000} s`
      : `it was ended: ${exceeded ?? (ending.by === "signal" ? ending.signal : "unknown")}`;
  return { code: undefined, why, output, ms };
}
