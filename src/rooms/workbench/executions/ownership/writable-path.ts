import { posix } from "node:path";
import { readPathStatus } from "../../files/path-status.ts";
import type { Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../deps.ts";
import { hiddenFile, ignoredFile, nestedRepository, preexistingFile, switchedBranch } from "../errors.ts";
import { PreexistingFiles } from "./preexisting-files.ts";

type WritablePathDeps = Pick<ExecutionDeps, "workFor" | "store">;

/** In place a person may have switched to another branch: what is there now is not the task's. */
export async function requireOnBranch(
  { workFor }: WritablePathDeps,
  execution: Execution,
  signal: AbortSignal,
): Promise<void> {
  if (!isInPlace(execution)) return;
  const { branch } = await workFor(execution.root).head(signal);
  if (branch !== (execution.branch ?? execution.baseBranch)) throw switchedBranch(execution, branch);
}

/** Throws where a file is not the task's to write: another repository's, or a person's that git does not hold. */
export async function requireOwnPath(
  here: WritablePathDeps,
  execution: Execution,
  given: string,
  signal: AbortSignal,
): Promise<void> {
  const path = posix.normalize(given);
  const standing = await here.workFor(execution.root).standing(path, signal);
  if (standing.kind === "elsewhere") throw nestedRepository(path, standing.repository);
  if (!isInPlace(execution)) return;
  if (standing.kind === "hidden") throw hiddenFile(path);
  const persons = new PreexistingFiles(execution);
  if (persons.isOne(path)) throw preexistingFile([path]);
  const isUnknown = standing.kind === "ignored" || (standing.kind === "untracked" && persons.has(path));
  if (isUnknown && !(await isWritten(here, execution, path)))
    throw persons.has(path) ? preexistingFile([path]) : ignoredFile(path);
}

/** By one of Forge's tools, in this execution. */
async function isWritten({ store }: WritablePathDeps, { id }: Execution, path: string): Promise<boolean> {
  return (await store.database.read((db) => store.listWrittenFiles(db, id, path))).length > 0;
}

/** Whether a file, as it is, has changes that are not committed and that no tool of Forge made; only in place is that asked. */
export async function hasOthersWork(
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
