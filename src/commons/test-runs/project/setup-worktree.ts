import type { ResourceLimits } from "../../../platform/exec/limits.ts";
import { run, toExitReason } from "../../../platform/exec/run.ts";
import { withTemporaryFolder } from "../../../platform/state/temporary-folder.ts";
import type { Trust } from "../../trust/index.ts";
import { cleanText } from "../reports/run-output.ts";
import { findPassedVariables, listConfiguredRunnables } from "./configured-commands.ts";
import { createTestEnvironment } from "./environment.ts";
import { pinCommand } from "./pinned-command.ts";
import type { PinnedCommand } from "./pinned-script.ts";
import { readWorkbenchFile, resolveLimits } from "./workbench-file.ts";

/** The result of a set-up command. */
export type SetupOutcome = { command: string[]; passed: boolean; output: string };

type SetupOptions = {
  signal: AbortSignal;
  deadlineMs: number;
  /** Called every few seconds while it runs. */
  report(message: string): void;
};

const reportMs = 2_000;
const maxShownOutput = 4_000;

/**
 * Runs the project's set-up command in a new work tree; undefined if there is none. Throws TRUST_REQUIRED and CANCELLED; a command
 * that fails is a result.
 */
export async function setUpWorktree(
  trust: Pick<Trust, "require">,
  root: string,
  options: SetupOptions,
): Promise<SetupOutcome | undefined> {
  const { setupCommand: command, limits, network } = readWorkbenchFile(root);
  if (command === undefined) return undefined;
  const pinned = await trust.require(root, listConfiguredRunnables(root).setupCommand ?? []);
  const trusted = pinned.find(({ id }) => id === "workbench:setupCommand")?.command ?? command;
  return withTemporaryFolder("setup", async (folder) => {
    const { env } = createTestEnvironment(undefined, findPassedVariables(pinned));
    const order = pinCommand(trusted, pinned, { root, folder, searchPath: env["PATH"] });
    const limited = resolveLimits(limits);
    return runSetup(
      order,
      { command, root, env: { ...env, ...order.env }, limits: limited, withoutNetwork: network === "none" },
      options,
    );
  });
}

type SetupRun = {
  command: string[];
  root: string;
  env: Record<string, string>;
  limits: ResourceLimits;
  withoutNetwork: boolean;
};

async function runSetup(
  { words: [program = "", ...args] }: PinnedCommand,
  { command, root, env, limits, withoutNetwork }: SetupRun,
  { signal, deadlineMs, report }: SetupOptions,
): Promise<SetupOutcome> {
  const startedAt = performance.now();
  const tell = () => report(`${command.join(" ")}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  tell();
  const timer = setInterval(tell, reportMs);
  try {
    const result = await run(program, args, {
      cwd: root,
      env,
      signal,
      deadlineMs,
      containment: "namespace",
      limits,
      withoutNetwork,
    });
    const ending = toExitReason(result);
    const said = cleanText(`${result.stdout.toString()}${result.stderr.toString()}`).slice(-maxShownOutput);
    if (ending.by === "exit") return { command, passed: ending.code === 0, output: said };
    const why = ending.by === "deadline" ? `took longer than ${deadlineMs / 1_000} s` : `ended by ${ending.signal}`;
    return { command, passed: false, output: `${said}\n(${why})` };
  } finally {
    clearInterval(timer);
  }
}
