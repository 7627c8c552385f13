import type { Call } from "../../../../kernel/calls/call.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { classifyChanges, listPaths } from "../ownership/change-ownership.ts";

const maxChanges = 20_000;

/**
 * What is in the folder and not in its latest commit. `own`: changes of the execution, or files that were changed again after
 * they were committed; `foreign`: those of them that may be someone else's by now; `all`: everything.
 */
export async function listUncommitted(
  deps: ExecutionDeps,
  call: Call,
  execution: Execution,
  committed: readonly string[],
): Promise<{ own: string[]; foreign: string[]; all: string[] }> {
  const work = deps.workFor(execution.root);
  const { commit } = await work.head(call.signal);
  if (commit === undefined) return { own: [], foreign: [], all: [] };
  const { changes } = await work.changes.list({ since: commit, limit: maxChanges }, call.signal);
  const owned = await classifyChanges(deps, execution, changes, call);
  const own = new Set([...listPaths(owned.own), ...committed]);
  const foreign = listPaths([...owned.others, ...owned.mixed]).filter((path) => own.has(path));
  const all = listPaths(changes);
  return { own: all.filter((path) => own.has(path)), foreign, all };
}
