import { shellWord } from "../../../../commons/cli/shell-word.ts";

/** Why a branch or folder stays, and how to remove it without losing anything. Stored, so in words for every reader. */

export function worktreeKept(root: string, branch: string, reasons: readonly string[]): string {
  return `its work tree ${root} was not removed: ${reasons.join("; ")}. ${describeRemoval(root, branch)}`;
}

/** git refuses to remove changed files and unmerged commits, but would remove ignored files: so these are looked at first. */
export function describeRemoval(root: string, branch: string | undefined): string {
  const folder = shellWord(root);
  const both = branch === undefined ? "" : ` and \`git branch -d ${branch}\``;
  return `\`git -C ${folder} status --ignored\` shows what is in it. After saving anything you need, remove it with \`git worktree remove ${folder}\`${both}.`;
}

export function uncommittedKept(branch: string, base: string | undefined): string {
  const back =
    base === undefined
      ? ""
      : ` Then \`git switch ${base}\` goes back, and \`git branch -d ${branch}\` deletes the branch.`;
  return `uncommitted changes stay on it. Commit or stash them.${back}`;
}

export function switchFailed(root: string, base: string, why: string): string {
  return `${root} could not go back to ${base}. ${why} Once that is resolved, run \`git switch ${base}\`.`;
}

export function baseBranchGone(branch: string, base: string | undefined): string {
  const what = base === undefined ? "its base" : `its base ${base}`;
  return `${what} no longer exists. Merge it where it belongs (\`git merge ${branch}\`), then delete it with \`git branch -d ${branch}\`.`;
}

export function unmergedCommits(branch: string, base: string, count: number, isAll: boolean): string {
  const commits = `${isAll ? "" : "at least "}${count} ${count === 1 ? "commit is" : "commits are"} not in ${base}`;
  return `${commits}. \`git log ${base}..${branch}\` shows them. Once they are merged, \`git branch -d ${branch}\` deletes the branch.`;
}

export function branchRenamed(branch: string, found: string): string {
  return `branch ${found}: the folder was on it; someone renamed ${branch} to it, or deleted ${branch}. It stays as it is.`;
}

/** Each as a sentence. A folder that is only a path is left out where another entry names it. */
export function describeKept(kept: readonly string[]): string[] {
  const isNamed = (text: string) => kept.some((other) => other !== text && other.includes(`${text} `));
  return kept.filter((text) => !isNamed(text)).map((text) => `Kept: ${text}${text.endsWith(".") ? "" : "."}`);
}
