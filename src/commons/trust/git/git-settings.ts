import { resolve } from "node:path";
import type { Git } from "../../../platform/git/git.ts";
import { unreadableGitConfiguration } from "../errors.ts";

/** `file` as git found it, undefined where it came from no file. */
export type GitSetting = { scope: string; file: string | undefined; key: string; value: string };

/** The settings whose whole key fits, in git's order: the last one counts. Those that Forge itself gives are left out. */
export async function readGitSettings(
  git: Git,
  root: string,
  keys: string,
  { signal, options = [] }: { signal: AbortSignal; options?: string[] },
): Promise<GitSetting[]> {
  const asked = [...options, "--includes", "--show-scope", "--show-origin", "-z", "--get-regexp", `^(${keys})$`];
  const repository = git.open(root);
  const { code, stdout, truncated } = await repository.run("config", asked, { signal });
  const noneFound = code === 1;
  if (noneFound) return [];
  if (code !== 0 || truncated) throw unreadableGitConfiguration(root);
  const fields = stdout.toString().split("\0");
  const found: GitSetting[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", setting = ""] = fields.slice(at, at + 3);
    const [, key = "", value = ""] = /^([^\n]*)\n?([\s\S]*)$/.exec(setting) ?? [];
    const file = origin.startsWith("file:") ? resolve(repository.location.workTree, origin.slice(5)) : undefined;
    if (scope !== "command") found.push({ scope, file, key, value });
  }
  return found;
}

export function isFromRepository({ scope }: GitSetting): boolean {
  return scope === "local" || scope === "worktree";
}
