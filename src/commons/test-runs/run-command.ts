import { findExceededLimit } from "../../platform/exec/limits.ts";
import { endingOf, run } from "../../platform/exec/run.ts";
import type { Trust } from "../trust/index.ts";
import { listCheckRunnables } from "./project/configured-commands.ts";
import { createTestEnvironment } from "./project/environment.ts";
import { readWorkbenchFile, resolveLimits } from "./project/workbench-file.ts";
import { cleanText, keepEnd } from "./reports/run-output.ts";

const maxShownOutput = 8_000;

export type CommandOutcome = { code: number | undefined; why: string; output: string; ms: number };

/** Runs one command of a trusted project as its tests are run: contained, limited, and to its end. */
export async function runTrustedCommand(
  trust: Pick<Trust, "require">,
  root: string,
  words: readonly string[],
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
): Promise<CommandOutcome> {
  await trust.require(root, listCheckRunnables(root, words));
  const { passEnvironment, limits, network } = readWorkbenchFile(root);
  const [program = "", ...args] = words;
  const began = performance.now();
  const result = await run(program, args, {
    cwd: root,
    env: createTestEnvironment(undefined, passEnvironment).env,
    containment: "namespace",
    limits: resolveLimits(limits),
    withoutNetwork: network === "none",
    signal,
    deadlineMs,
  });
  const ms = Math.round(performance.now() - began);
  const output = keepEnd(cleanText(`${result.stdout.toString()}${result.stderr.toString()}`), maxShownOutput);
  const ending = endingOf(result);
  const exceeded = findExceededLimit(result.code, result.signal);
  if (ending.by === "exit" && exceeded === undefined)
    return { code: ending.code, why: `exit code ${ending.code}`, output, ms };
  const why =
    ending.by === "deadline"
      ? `it took longer than ${deadlineMs / 1_000} s`
      : `it was ended: ${exceeded ?? (ending.by === "signal" ? ending.signal : "unknown")}`;
  return { code: undefined, why, output, ms };
}
