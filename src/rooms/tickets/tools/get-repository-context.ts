import { resolve } from "node:path";
import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import type { Repository } from "../../../platform/git/git.ts";
import type { RepositoryStatus } from "../../../platform/git/status.ts";
import type { FileList } from "../../../platform/git/tree.ts";
import { type RepositoryContext, repositoryContext, repositoryPath, shown } from "../model.ts";
import type { RepositoryServices } from "../ports.ts";

const input = z.object({ path: repositoryPath.optional() });

export const getRepositoryContext = defineTool({
  name: "get_repository_context",
  title: "State of the git repository",
  description: [
    "Call it before starting work and before a commit, to learn which branch is checked out, what is changed and which files there are.",
    "Answers with the branch, the root of the work tree, the modified, untracked and staged files, and the files of the commit at HEAD.",
    "All paths are relative to `workingDirectory`, the root of the work tree, also when `path` is a subfolder.",
    `Each status list shows up to ${shown.names} names and the tree up to ${shown.treeLines} lines; \`omitted\` counts what was left out.`,
    "It only looks: nothing of the repository is run (no hooks, no filters) and nothing is changed. Changes inside submodules are not shown.",
  ].join("\n"),
  effect: "read",
  input,
  output: repositoryContext,
  async run({ git, cwd }: RepositoryServices, { path }, { signal }) {
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
  },
});

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
