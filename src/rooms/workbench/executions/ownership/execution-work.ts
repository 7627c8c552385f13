import type { Call } from "../../../../kernel/call.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../deps.ts";
import { classifyChanges, type OwnedChanges } from "./change-ownership.ts";
import { findOwnBase } from "./execution-base.ts";
import { excludePreexisting } from "./preexisting-files.ts";

/** As many as are committed at once. */
const maxChanges = 20_000;

/** Where an execution's work stands: its `tip`, what that is compared with, and what of the folder is not in it. */
type ExecutionWork = {
  /** That its folder is on. */
  branch: string | undefined;
  tip: string;
  since: string;
  whose: OwnedChanges;
  /** A person's files from before it began. */
  persons: TreeChange[];
};

/** For an open execution whose folder is its own. */
export async function readExecutionWork(
  parts: ExecutionDeps,
  execution: Execution,
  asking: Pick<Call, "principal" | "signal">,
): Promise<ExecutionWork> {
  const { signal } = asking;
  const work = parts.workFor(execution.root);
  const { branch, commit: tip = execution.baseCommit } = await work.head(signal);
  const { changes } = await work.changes(tip, maxChanges, signal);
  const candidates = new Set(excludePreexisting(execution, changes));
  return {
    branch,
    tip,
    since: await findOwnBase(parts, execution, tip, signal),
    whose: await classifyChanges(parts, execution, changes, asking),
    persons: changes.filter((change) => !candidates.has(change)),
  };
}
