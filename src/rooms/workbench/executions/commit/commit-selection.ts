import { posix } from "node:path";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { CommitRequest, Execution } from "../../model/execution-model.ts";
import { joinNames, nothingToCommit, preexistingFile, uncommittedRest, unknownFiles } from "../errors.ts";
import { listPaths, type OwnedChanges } from "../ownership/change-ownership.ts";
import { PreexistingFiles } from "../ownership/preexisting-files.ts";
import { refuseSecretFiles } from "./secret-files.ts";

/** `aside`: changes that are not the execution's and stay as they are; `staying`: those of them that may be somebody's work. */
export type CommitSelection = { paths: string[]; aside: string[]; staying: string[]; warnings: string[] };

type RequestedFiles = Pick<CommitRequest, "files" | "complete">;
/** `files`: those that are there, or were before the execution took them away. `hasCommits`: made in it, by whatever means. */
type KnownFiles = { files: ReadonlySet<string>; hasCommits: boolean };

/**
 * Which files a commit takes, out of those that git says are changed. Throws, before anything is done, where completing would
 * leave changes of the execution behind, and where nobody said whether somebody else's are meant.
 */
export function selectPaths(
  execution: Execution,
  { files, complete }: RequestedFiles,
  whose: OwnedChanges,
  known: KnownFiles,
): CommitSelection {
  const mayBeNone = complete && known.hasCommits;
  if (files !== undefined) return selectNamed(execution, { files, complete }, whose, known);
  if (whose.others.length + whose.mixed.length > 0) throw foreignChanges(whose, mayBeNone);
  refuseSecretFiles(execution, whose.own);
  const leftovers = listPaths(whose.leftovers);
  if (whose.own.length === 0 && !mayBeNone) throw nothingToCommit(execution, leftovers);
  return { paths: listPaths(whose.own), aside: leftovers, staying: [], warnings: describeLeftovers(leftovers) };
}

function selectNamed(
  execution: Execution,
  { files, complete }: { files: string[]; complete: boolean },
  whose: OwnedChanges,
  known: KnownFiles,
): CommitSelection {
  const names = [...new Set(files.map((file) => posix.normalize(file)))];
  const persons = new PreexistingFiles(execution);
  const { own, others, mixed, leftovers } = whose;
  const changed = new Set(listPaths([...own, ...others, ...mixed, ...leftovers]));
  const refused = names.filter((path) => persons.has(path) && !changed.has(path));
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
    warnings: unchanged.map((path) => `${path} is as it was committed last, so there was nothing to commit of it.`),
  };
}

function describeLeftovers(leftovers: readonly string[]): string[] {
  if (leftovers.length === 0) return [];
  return [
    `Not committed, because the set-up command left it and nothing changed it since: ${joinNames(leftovers)}. Name in \`files\` what belongs to the task.`,
  ];
}

/** `hasCommits`: the task can be completed with what is committed already. */
export function foreignChanges(
  { own, others, mixed }: Pick<OwnedChanges, "own" | "others" | "mixed">,
  hasCommits: boolean,
): ForgeError {
  const [past, since, written] = [listPaths(others), listPaths(mixed), listPaths(own)];
  const total = past.length + since.length;
  const what = [
    ...(past.length > 0 ? [`changed, but not through Forge's tools: ${joinNames(past)}`] : []),
    ...(since.length > 0
      ? [
          `written through Forge's tools, and changed, staged or given another mode by somebody else as well: ${joinNames(since)}`,
        ]
      : []),
  ];
  return new ForgeError(
    "CONFLICT_ERROR",
    `${total === 1 ? "A file here is" : `${total} files here are`} perhaps somebody else's work: ${what.join("; ")}. Nothing was committed.`,
    {
      details: {
        others: past.slice(0, 100),
        changed_since: since.slice(0, 100),
        total,
        own: written.slice(0, 100),
      },
      next: [
        "Name in `files` what belongs to the task, also what your own commands changed: that is committed, and all else stays as it is.",
        ...(written.length > 0 ? [`Written through Forge, and as it was written: ${joinNames(written)}.`] : []),
        ...(hasCommits && written.length === 0
          ? [
              "`files: []` completes the task with what is committed already, and all that is changed here stays as it is.",
            ]
          : []),
        "Where you cannot tell, ask the person.",
      ],
    },
  );
}
