/** What is said of branches and folders that stay: why, and how a person removes them without losing what nobody has seen. */

export function worktreeKept(root: string, branch: string, reasons: readonly string[]): string {
  return `its work tree ${root} was not removed: ${reasons.join("; ")}. ${describeRemoval(root, branch)}`;
}

/** Git itself refuses where files are changed and commits not merged; ignored files it would take along, so these are looked at too. */
export function describeRemoval(root: string, branch: string | undefined): string {
  const folder = shellWord(root);
  const both = branch === undefined ? "" : ` and \`git branch -d ${branch}\``;
  return `\`git -C ${folder} status --ignored\` shows what is in it; once all that is wanted is elsewhere, a person removes it with \`git worktree remove ${folder}\`${both}.`;
}

export function uncommittedKept(branch: string, base: string | undefined): string {
  const back =
    base === undefined ? "" : `; \`git switch ${base}\` goes back then, and \`git branch -d ${branch}\` deletes it`;
  return `what is not committed stays on it. A person commits or stashes it${back}.`;
}

export function switchFailed(root: string, base: string, why: string): string {
  return `${root} could not go back to ${base}. ${why} Once a person has that out of the way, \`git switch ${base}\` does it.`;
}

export function baseBranchGone(branch: string, base: string | undefined): string {
  return `its base${base === undefined ? "" : ` ${base}`} is not there any more. A person merges it where it belongs (\`git merge ${branch}\`); \`git branch -d ${branch}\` deletes it then.`;
}

export function unmergedCommits(branch: string, base: string, count: number, isAll: boolean): string {
  const commits = `${isAll ? "" : "at least "}${count} ${count === 1 ? "commit is" : "commits are"} not in ${base}`;
  return `${commits}. \`git log ${base}..${branch}\` shows what; \`git branch -d ${branch}\` deletes it once that is merged.`;
}

export function branchRenamed(branch: string, found: string): string {
  return `branch ${found}: the folder was on it, and ${branch} was renamed to it or deleted by somebody, so it stays as it is.`;
}

/** Each as a sentence. A folder by its mere path is named by what is said of its branch as well. */
export function describeKept(kept: readonly string[]): string[] {
  const isSaid = (text: string) => kept.some((other) => other !== text && other.includes(`${text} `));
  return kept.filter((text) => !isSaid(text)).map((text) => `Kept: ${text}${text.endsWith(".") ? "" : "."}`);
}

/** As a shell takes it for one word. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
