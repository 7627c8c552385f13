import type { Call } from "../../../../kernel/calls/call.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { classifyChanges, type OwnedChanges } from "./change-ownership.ts";
import { findOwnBase } from "./execution-base.ts";

/** As many as can be committed at once. */
const maxChanges = 20_000;

/** The state of an execution's folder: its latest commit, the commit to compare it with, and the uncommitted changes. */
type ExecutionWork = {
  /** The branch that is checked out. */
  branch: string | undefined;
  tip: string;
  since: string;
  owned: OwnedChanges;
};

/** For an open execution that works in a folder of its own project. */
export async function readExecutionWork(
  deps: ExecutionDeps,
  execution: Execution,
  caller: Pick<Call, "principal" | "signal">,
): Promise<ExecutionWork> {
  const { signal } = caller;
  const work = deps.workFor(execution.root);
  const { branch, commit: tip = execution.baseCommit } = await work.head(signal);
  const { changes } = await work.changes.list({ since: tip, limit: maxChanges }, signal);
  return {
    branch,
    tip,
    since: await findOwnBase(deps, execution, tip, signal),
    owned: await classifyChanges(deps, execution, changes, caller),
  };
}
