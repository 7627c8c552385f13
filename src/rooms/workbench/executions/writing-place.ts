import { posix } from "node:path";
import type { Execution } from "../execution-model.ts";
import { elsewhere, hiddenFile, notYours, otherRepository } from "./errors.ts";
import { isInPlace, type Parts } from "./parts.ts";
import { PersonFiles } from "./person-files.ts";

type Here = Pick<Parts, "workFor" | "store">;

/** In place a person may have switched to another branch: what is there now is not the task's. */
export async function requireOnBranch({ workFor }: Here, execution: Execution, signal: AbortSignal): Promise<void> {
  if (!isInPlace(execution)) return;
  const { branch } = await workFor(execution.root).head(signal);
  if (branch !== (execution.branch ?? execution.baseBranch)) throw elsewhere(execution, branch);
}

/** Throws where a file is not the task's to write: another repository's, or a person's that git does not hold. */
export async function requireOwnPath(
  here: Here,
  execution: Execution,
  given: string,
  signal: AbortSignal,
): Promise<void> {
  const path = posix.normalize(given);
  const standing = await here.workFor(execution.root).standing(path, signal);
  if (standing.kind === "elsewhere") throw otherRepository(path, standing.repository);
  if (!isInPlace(execution)) return;
  if (standing.kind === "hidden") throw hiddenFile(path);
  const persons = new PersonFiles(execution);
  if (persons.isOne(path)) throw notYours([path]);
  const isUnknown = standing.kind === "ignored" || (standing.kind === "untracked" && persons.has(path));
  if (isUnknown && !(await isWritten(here, execution, path))) throw notYours([path]);
}

/** By one of Forge's tools, in this execution. */
async function isWritten({ store }: Here, { id }: Execution, path: string): Promise<boolean> {
  return store.database.read(async (db) => {
    const row = await store.find(db, id);
    const files = row ? await store.files(db, row.seq) : [];
    return files.some((file) => file.path === path && file.via === "forge");
  });
}
