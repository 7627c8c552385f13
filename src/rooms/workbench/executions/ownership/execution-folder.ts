import { entryAt } from "../../../../platform/files/entry-at.ts";
import { realPathOf } from "../../../../platform/files/real-place.ts";
import { locateRepository } from "../../../../platform/git/run/locate-repository.ts";
import type { Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../execution-deps.ts";
import { foreignFolder, missingFolder } from "./errors.ts";

type FolderDeps = Pick<ExecutionDeps, "projectRoot" | "workFor">;

/**
 * Throws unless an execution's folder is the project's own, or a work tree in Forge's folder that the project's repository knows.
 * Checked before every use: the store may have come with the repository, or been copied with its folder, and a folder may have
 * been replaced by a link.
 */
export function requireOwnFolder(deps: FolderDeps, execution: Execution): void {
  if (!isOfThisProject(deps, execution)) throw foreignFolder(execution, deps.projectRoot);
  if (isInPlace(execution)) return;
  const { root } = execution;
  const entry = entryAt(root);
  if (!entry) throw missingFolder(execution);
  const found = entry.isDirectory() ? locateRepository(root) : undefined;
  const { commonDir } = deps.workFor(deps.projectRoot).location;
  if (found?.workTree !== root || found.commonDir !== commonDir) throw foreignFolder(execution, deps.projectRoot);
}

/** By its name only: the folder itself may be incomplete or gone. */
export function isOfThisProject({ projectRoot, workFor }: FolderDeps, execution: Execution): boolean {
  const { root } = execution;
  if (isInPlace(execution)) return root === projectRoot || realPathOf(root) === realPathOf(projectRoot);
  return workFor(projectRoot).workTrees.isPlace(root);
}
