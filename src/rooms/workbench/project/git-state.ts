import { visible } from "../../../kernel/text/visible.ts";
import type { Repository } from "../../../platform/git/git.ts";

const maxNames = 10_000;
const maxNameLength = 300;

/** No branch outside a repository. */
export type GitState = { current_branch?: string; git_status: string };

export async function readGitState(repository: Repository | undefined, signal: AbortSignal): Promise<GitState> {
  if (!repository) return { git_status: "not a git repository" };
  const { branch, commit, modified, staged, untracked } = await repository.status(maxNames, signal);
  const changed = new Set([...modified.names, ...staged.names]).size + modified.omitted + staged.omitted;
  const fresh = untracked.names.length + untracked.omitted;
  return {
    current_branch:
      branch === undefined
        ? `HEAD detached at ${(commit ?? "").slice(0, 12)}`
        : visible(branch.slice(0, maxNameLength)),
    git_status: changed + fresh === 0 ? "clean" : `${changed} modified, ${fresh} untracked`,
  };
}
