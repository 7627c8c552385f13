import { resolve } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import type { Git } from "../../platform/git/git.ts";

/** `file` as git found it, undefined where it came from no file. */
export type Setting = { scope: string; file: string | undefined; key: string; value: string };

/** The settings whose whole key fits, in git's order: the last one counts. Those that Forge itself gives are left out. */
export async function gitSettings(
  git: Git,
  root: string,
  keys: string,
  { signal, options = [] }: { signal: AbortSignal; options?: string[] },
): Promise<Setting[]> {
  const asked = [...options, "--includes", "--show-scope", "--show-origin", "-z", "--get-regexp", `^(${keys})$`];
  const repository = git.open(root);
  const { code, stdout, truncated } = await repository.run("config", asked, { signal });
  const noneFound = code === 1;
  if (noneFound) return [];
  if (code !== 0 || truncated) throw unreadable(root);
  const fields = stdout.toString().split("\0");
  const found: Setting[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", setting = ""] = fields.slice(at, at + 3);
    const [, key = "", value = ""] = /^([^\n]*)\n?([\s\S]*)$/.exec(setting) ?? [];
    const file = origin.startsWith("file:") ? resolve(repository.location.workTree, origin.slice(5)) : undefined;
    if (scope !== "command") found.push({ scope, file, key, value });
  }
  return found;
}

export function isRepositorys({ scope }: Setting): boolean {
  return scope === "local" || scope === "worktree";
}

function unreadable(root: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `The git configuration of ${root} cannot be read, so what git would run is unknown.`,
    {
      details: { root },
      next: ["Run `git config --list --show-origin` there: it says what is wrong."],
    },
  );
}
