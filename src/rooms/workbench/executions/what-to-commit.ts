import { posix } from "node:path";
import type { TreeChange } from "../../../platform/git/work-model.ts";
import type { Execution } from "../execution-model.ts";
import type { CommitRequest } from "../ports.ts";
import { leftOver, noSuchChange, nothingDone, notYours } from "./errors.ts";
import { ownNames, PersonFiles } from "./person-files.ts";
import { refuseSecretFiles } from "./secret-files.ts";

export type Selection = { paths: string[]; warnings: string[] };

/**
 * Which files a commit takes, out of those that git says are changed. Throws, before anything is done, where completing would
 * leave changes of the execution behind.
 */
export function whatToCommit(
  execution: Execution,
  { files, complete }: Pick<CommitRequest, "files" | "complete">,
  changes: readonly TreeChange[],
  /** `files`: those that are there, or were before the execution took them away. `hasCommits`: made in it, by whatever means. */
  known: { files: ReadonlySet<string>; hasCommits: boolean },
): Selection {
  const mayBeNone = complete && known.hasCommits;
  const ownChanges = ownNames(execution, changes);
  const own = ownChanges.map(({ path }) => path);
  if (files === undefined) {
    refuseSecretFiles(execution, ownChanges);
    if (own.length === 0 && !mayBeNone) throw nothingDone(execution);
    return { paths: own, warnings: [] };
  }
  const named = [...new Set(files.map((file) => posix.normalize(file)))];
  const persons = new PersonFiles(execution);
  const refused = named.filter((path) => persons.has(path));
  if (refused.length > 0) throw notYours(refused);
  const isChanged = new Set(own);
  const unchanged = named.filter((path) => !isChanged.has(path));
  const unknown = unchanged.filter((path) => !known.files.has(path));
  if (unknown.length > 0) throw noSuchChange(unknown);
  const chosen = new Set(named.filter((path) => isChanged.has(path)));
  const left = own.filter((path) => !chosen.has(path));
  if (complete && left.length > 0) {
    if (!execution.options.auto_commit) throw leftOver(left, left.length);
    refuseSecretFiles(
      execution,
      ownChanges.filter(({ path }) => !chosen.has(path)),
    );
    for (const path of left) chosen.add(path);
  }
  if (chosen.size === 0 && !mayBeNone) throw nothingDone(execution);
  const said = unchanged.map((path) => `${path} is as it was committed last, so there was nothing to commit of it.`);
  return { paths: [...chosen], warnings: said };
}
