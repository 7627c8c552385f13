import { posix } from "node:path";
import type { Action } from "../../../../kernel/action.ts";
import type { CommitRequest, Execution } from "../../model/execution-model.ts";
import { joinNames } from "../join-names.ts";
import { listPaths, type OwnedChanges } from "../ownership/change-ownership.ts";
import { preexistingFile } from "../ownership/errors.ts";
import { PreexistingFiles } from "../ownership/preexisting-files.ts";
import { foreignChanges, nothingToCommit, uncommittedRest, unknownFiles } from "./errors.ts";
import { refuseSecretFiles } from "./secret-files.ts";

/** `aside`: changes that are not part of the commit; `staying`: those of them that may be someone's work. */
export type CommitSelection = {
  paths: string[];
  aside: string[];
  staying: string[];
  warnings: string[];
  next: Action[];
};

type RequestedFiles = Pick<CommitRequest, "files" | "complete">;
/** `files`: those that exist, or existed before the execution removed them. `hasCommits`: by whatever means they were made. */
type KnownFiles = { files: ReadonlySet<string>; hasCommits: boolean };

/**
 * The files that a commit takes, out of those that git reports as changed. Throws, before anything is done, if completing would
 * leave changes of the execution behind, or if someone else's changes could be meant and nobody said which files to take.
 */
export function selectPaths(
  execution: Execution,
  { files, complete }: RequestedFiles,
  owned: OwnedChanges,
  known: KnownFiles,
): CommitSelection {
  const mayBeEmpty = complete && known.hasCommits;
  if (files !== undefined) return selectNamed(execution, { files, complete }, owned, known);
  const [own, others, mixed] = [listPaths(owned.own), listPaths(owned.others), listPaths(owned.mixed)];
  if (others.length + mixed.length > 0) throw foreignChanges({ own, others, mixed }, mayBeEmpty);
  refuseSecretFiles(execution, owned.own);
  const leftovers = listPaths(owned.leftovers);
  if (own.length === 0 && !mayBeEmpty) throw nothingToCommit(execution, leftovers);
  return { paths: own, aside: leftovers, staying: [], ...describeLeftovers(leftovers) };
}

function selectNamed(
  execution: Execution,
  { files, complete }: { files: string[]; complete: boolean },
  { own, others, mixed, leftovers }: OwnedChanges,
  known: KnownFiles,
): CommitSelection {
  const names = [...new Set(files.map((file) => posix.normalize(file)))];
  const preexisting = new PreexistingFiles(execution);
  const changed = new Set(listPaths([...own, ...others, ...mixed, ...leftovers]));
  const refused = names.filter((path) => preexisting.has(path) && !changed.has(path));
  if (refused.length > 0) throw preexistingFile(refused);
  const unchanged = names.filter((path) => !changed.has(path));
  const unknown = unchanged.filter((path) => !known.files.has(path));
  if (unknown.length > 0) throw unknownFiles(unknown);
  const chosen = new Set(names.filter((path) => changed.has(path)));
  const left = own.filter(({ path }) => !chosen.has(path));
  if (complete && left.length > 0) {
    if (!execution.options.auto_commit) throw uncommittedRest(listPaths(left), left.length);
    refuseSecretFiles(execution, left);
    for (const { path } of left) chosen.add(path);
  }
  if (chosen.size === 0 && !(complete && known.hasCommits)) throw nothingToCommit(execution);
  const notChosen = (path: string) => !chosen.has(path);
  const staying = listPaths([...others, ...mixed]).filter(notChosen);
  return {
    paths: [...chosen],
    aside: [...staying, ...listPaths(leftovers).filter(notChosen)],
    staying,
    warnings: unchanged.map((path) => `${path} has not changed since its last commit, so there was nothing to commit.`),
    next: [],
  };
}

function describeLeftovers(leftovers: readonly string[]): Pick<CommitSelection, "warnings" | "next"> {
  if (leftovers.length === 0) return { warnings: [], next: [] };
  return {
    warnings: [
      `Not committed, because the set-up command created it and nothing has changed it since: ${joinNames(leftovers)}.`,
    ],
    next: [
      {
        tool: "forge_commit_changes",
        input: { message: "MESSAGE", files: ["PATH"] },
        why: "to commit what of it belongs to the task",
      },
    ],
  };
}
