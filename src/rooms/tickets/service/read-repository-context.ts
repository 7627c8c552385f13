import { resolve } from "node:path";
import type { Call } from "../../../kernel/calls/call.ts";
import { isInstalled } from "../../../platform/files/root/installed-place.ts";
import type { Repository } from "../../../platform/git/git.ts";
import type { RepositoryStatus } from "../../../platform/git/read/status.ts";
import type { FileList } from "../../../platform/git/read/tree-reader.ts";
import { maxShown, type RepositoryContext } from "../model/repository-context.ts";
import type { RepositoryServices } from "./tickets.ts";

/** The git repository that contains a folder. */
export async function readRepositoryContext(
  { git, cwd }: RepositoryServices,
  path: string | undefined,
  call: Pick<Call, "signal">,
): Promise<RepositoryContext> {
  const repository = git.open(resolve(cwd, path ?? "."));
  const { signal } = call;
  const [status, files] = await Promise.all([
    repository.status(maxShown.names, signal),
    repository.files(maxShown.treeLines, signal),
  ]);
  return {
    branch: await branchName(repository, status, signal),
    workingDirectory: repository.location.workTree,
    status: {
      modified: status.modified.names.filter(isOwnName),
      untracked: status.untracked.names.filter(isOwnName),
      staged: status.staged.names.filter(isOwnName),
    },
    ...summary(status, files),
  };
}

async function branchName(repository: Repository, status: RepositoryStatus, signal: AbortSignal): Promise<string> {
  return status.branch ?? `HEAD (detached at ${await repository.shortHead(signal)})`;
}

function summary(status: RepositoryStatus, files: FileList): Pick<RepositoryContext, "fileTree" | "omitted"> {
  const names = files.names.filter(isOwnName);
  const total = files.total - (files.names.length - names.length);
  const fits = total <= maxShown.treeLines;
  const lines = fits ? names : names.slice(0, maxShown.treeLines - 1);
  const more = total - lines.length;
  const omitted = {
    ...countOf("modified", status.modified.omitted),
    ...countOf("untracked", status.untracked.omitted),
    ...countOf("staged", status.staged.omitted),
    ...countOf("files", more),
  };
  return {
    fileTree: (fits ? lines : [...lines, `… and ${more} more files`]).join("\n"),
    ...(Object.keys(omitted).length > 0 && { omitted }),
  };
}

/** What the registry installed has names by others, and is nothing to work on. */
function isOwnName(path: string): boolean {
  return !isInstalled(path);
}

function countOf(kind: "modified" | "untracked" | "staged" | "files", count: number): Record<string, number> {
  return count > 0 ? { [kind]: count } : {};
}
