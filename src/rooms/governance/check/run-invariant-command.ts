import type { Trust } from "../../../commons/trust/index.ts";
import { invariantRunnables } from "../../../commons/trust/invariant-commands.ts";
import { commandGaveNoNumber, commandWasStopped } from "./errors.ts";
import type { Measured } from "./judge.ts";
import type { OwnInvariant } from "./policy.ts";

const defaultTimeoutSeconds = 120;

/** Runs the command of a project's own invariant, if the user trusts it; the last line of its output is the value. */
export async function runInvariantCommand(
  { root, trust }: { root: string; trust: Pick<Trust, "require"> },
  { name, timeout_seconds: seconds = defaultTimeoutSeconds }: OwnInvariant,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Measured> {
  const [{ runCommand }, { withTrustedCommand }, { createTestEnvironment }, workbench] = await Promise.all([
    import("../../../commons/test-runs/project/run-command.ts"),
    import("../../../commons/test-runs/with-trusted-command.ts"),
    import("../../../commons/test-runs/project/environment.ts"),
    import("../../../commons/test-runs/project/workbench-file.ts"),
  ]);
  const searchPath = createTestEnvironment().env["PATH"];
  const order = { root, words, runnables: invariantRunnables(root, name, words), searchPath };
  const { limits, network } = workbench.readWorkbenchFile(root);
  const contained = { limits: workbench.resolveLimits(limits), withoutNetwork: network === "none" };
  const { ending, stdout } = await withTrustedCommand(trust, order, (command) =>
    runCommand(root, command.words, { ...contained, signal, deadlineMs: seconds * 1_000, env: command.env }),
  );
  if (ending.by === "deadline") throw commandWasStopped(name, `it did not end within ${seconds} s`);
  if (ending.by === "signal") throw commandWasStopped(name, `it was ended by ${ending.signal}`);
  if (ending.code !== 0) throw commandGaveNoNumber(name, `it exited with code ${ending.code}`);
  const last = stdout.trim().split("\n").at(-1)?.trim() ?? "";
  if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(last)) throw commandGaveNoNumber(name, "its last line is not a number");
  return { value: Number(last), source: "command" };
}
