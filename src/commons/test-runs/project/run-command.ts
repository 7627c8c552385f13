import type { ResourceLimits } from "../../../platform/exec/limits.ts";
import { type ExitReason, run, toExitReason } from "../../../platform/exec/run.ts";
import { createTestEnvironment } from "./environment.ts";

export type CommandResult = { ending: ExitReason; stdout: string; stderr: string };

type CommandOptions = {
  signal: AbortSignal;
  deadlineMs: number;
  input?: string;
  env?: Readonly<Record<string, string>> | undefined;
  limits?: ResourceLimits;
  withoutNetwork?: boolean;
};

/** Runs a command in a project's folder, with nothing of our environment but what tests may know. */
export async function runCommand(
  root: string,
  [program = "", ...args]: readonly string[],
  { signal, deadlineMs, input, env = {}, limits, withoutNetwork = false }: CommandOptions,
): Promise<CommandResult> {
  const result = await run(program, args, {
    cwd: root,
    env: { ...createTestEnvironment().env, ...env },
    containment: "namespace",
    withoutNetwork,
    signal,
    deadlineMs,
    ...(input !== undefined && { input }),
    ...(limits && { limits }),
  });
  return { ending: toExitReason(result), stdout: result.stdout.toString(), stderr: result.stderr.toString() };
}
