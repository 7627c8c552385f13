import { resolve } from "node:path";
import type { Repository } from "../../../platform/git/git.ts";
import type { RepositoryStatus } from "../../../platform/git/read/status.ts";
import type { FileList } from "../../../platform/git/read/tree.ts";
import { type RepositoryContext, shown } from "../model/repository-context.ts";
import type { RepositoryServices } from "./tickets.ts";

/** The repository that a folder is in, as assistants see it. */
export async function readRepositoryContext(
  { git, cwd }: RepositoryServices,
  path: string | undefined,
  signal: AbortSignal,
): Promise<RepositoryContext> {
  const repository = git.open(resolve(cwd, path ?? "."));
  const [status, files] = await Promise.all([
    repository.status(shown.names, signal),
    repository.files(shown.treeLines, signal),
  ]);
  return {
    branch: await branchName(repository, status, signal),
    workingDirectory: repository.location.workTree,
    status: {
      modified: status.modified.names,
      untracked: status.untracked.names,
      staged: status.staged.names,
    },
    ...summary(status, files),
  };
}

async function branchName(repository: Repository, status: RepositoryStatus, signal: AbortSignal): Promise<string> {
  return status.branch ?? `HEAD (detached at ${await repository.shortHead(signal)})`;
}

function summary(status: RepositoryStatus, files: FileList): Pick<RepositoryContext, "fileTree" | "omitted"> {
  const fits = files.total <= shown.treeLines;
  const lines = fits ? files.names : files.names.slice(0, shown.treeLines - 1);
  const more = files.total - lines.length;
  const omitted = {
    ...counted("modified", status.modified.omitted),
    ...counted("untracked", status.untracked.omitted),
    ...counted("staged", status.staged.omitted),
    ...counted("files", more),
  };
  return {
    fileTree: (fits ? lines : [...lines, `… and ${more} more files`]).join("\n"),
    ...(Object.keys(omitted).length > 0 && { omitted }),
  };
}

function counted(kind: "modified" | "untracked" | "staged" | "files", count: number): Record<string, number> {
  return count > 0 ? { [kind]: count } : {};
}
