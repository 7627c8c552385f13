import type { Call } from "../../../../kernel/call.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { Parts } from "../deps.ts";
import { type WhoseChanges, whoseChanges } from "./change-ownership.ts";
import { ownBase } from "./execution-base.ts";
import { ownNames } from "./preexisting-files.ts";

/** As many as are committed at once. */
const mostLookedAt = 20_000;

/** Where an execution's work stands: its `tip`, what that is compared with, and what of the folder is not in it. */
type OwnWork = {
  /** That its folder is on. */
  branch: string | undefined;
  tip: string;
  since: string;
  whose: WhoseChanges;
  /** A person's files from before it began. */
  persons: TreeChange[];
};

/** For an open execution whose folder is its own. */
export async function ownWork(
  parts: Parts,
  execution: Execution,
  asking: Pick<Call, "principal" | "signal">,
): Promise<OwnWork> {
  const { signal } = asking;
  const work = parts.workFor(execution.root);
  const { branch, commit: tip = execution.baseCommit } = await work.head(signal);
  const { changes } = await work.changes(tip, mostLookedAt, signal);
  const candidates = new Set(ownNames(execution, changes));
  return {
    branch,
    tip,
    since: await ownBase(parts, execution, tip, signal),
    whose: await whoseChanges(parts, execution, changes, asking),
    persons: changes.filter((change) => !candidates.has(change)),
  };
}
