import { posix } from "node:path";
import { readPathStatus } from "../../files/path-status.ts";
import type { Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../execution-deps.ts";
import { hiddenFile, ignoredFile, nestedRepository, preexistingFile, switchedBranch } from "./errors.ts";
import { PreexistingFiles } from "./preexisting-files.ts";

type WritablePathDeps = Pick<ExecutionDeps, "workFor" | "store">;

/** In the project's folder someone may have switched to another branch: then what is there is not the task's. */
export async function requireOnBranch(
  { workFor }: WritablePathDeps,
  execution: Execution,
  signal: AbortSignal,
): Promise<void> {
  if (!isInPlace(execution)) return;
  const { branch } = await workFor(execution.root).head(signal);
  if (branch !== (execution.branch ?? execution.baseBranch)) throw switchedBranch(execution, branch);
}

/** Throws if the task may not write a file: it is in another repository, or it is the user's and not in git. */
export async function requireOwnPath(
  deps: WritablePathDeps,
  execution: Execution,
  given: string,
  signal: AbortSignal,
): Promise<void> {
  const path = posix.normalize(given);
  const standing = await deps.workFor(execution.root).files.stateOf(path, signal);
  if (standing.kind === "elsewhere") throw nestedRepository(path, standing.repository);
  if (!isInPlace(execution)) return;
  if (standing.kind === "hidden") throw hiddenFile(path);
  const preexisting = new PreexistingFiles(execution);
  if (preexisting.isOne(path)) throw preexistingFile([path]);
  const isUnknown = standing.kind === "ignored" || (standing.kind === "untracked" && preexisting.has(path));
  if (isUnknown && !(await isWrittenByForge(deps, execution, path)))
    throw preexisting.has(path) ? preexistingFile([path]) : ignoredFile(path);
}

/** In this execution. */
async function isWrittenByForge({ store }: WritablePathDeps, { id }: Execution, path: string): Promise<boolean> {
  return (await store.database.read((db) => store.listWrittenFiles(db, id, path))).length > 0;
}

/** Whether a file has uncommitted changes that no tool of Forge made. Only matters in the project's folder. */
export async function hasForeignChanges(
  { store, git }: Pick<ExecutionDeps, "store" | "git">,
  execution: Execution,
  { path, sha256 }: { path: string; sha256: string },
  signal: AbortSignal,
): Promise<boolean> {
  if (!isInPlace(execution)) return false;
  const [written] = await store.database.read((db) => store.listWrittenFiles(db, execution.id, path));
  if (written && (written.sha256 === undefined || written.sha256 === sha256)) return false;
  return (await readPathStatus(git, execution.root, path, signal)) !== "unchanged";
}
