import { join, resolve } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import type { Git } from "../../platform/git/git.ts";
import { isInside, locateRepository } from "../../platform/git/locate.ts";
import { executablesIn } from "../../platform/pinned-file.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

type Setting = { scope: string; key: string; value: string };

const mostHooks = 200;

/** Keys that name a program git runs by itself, besides hooks; a pattern of git's, for names in lower case. */
const programKeys = [
  "core\\.(fsmonitor|sshcommand|editor|pager|askpass|gitproxy)",
  "(sequence\\.editor|diff\\.external|interactive\\.difffilter|gpg\\.program|credential\\.helper)",
  "diff\\..*\\.(command|textconv)",
  "filter\\..*\\.(clean|smudge|process)",
  "merge\\..*\\.driver",
  "hook\\..*\\.command",
  "gpg\\..*\\.program",
  "credential\\..*\\.helper",
  "remote\\..*\\.(uploadpack|receivepack|vcs)",
  "trailer\\..*\\.(command|cmd)",
];

/** The repository's hooks that git would run: the executable files of its hooks folder. */
export async function gitHooks(place: TrustPlace, git: Git, signal: AbortSignal): Promise<Runnable[]> {
  const [root] = place.folders;
  const repository = locateRepository(root);
  if (!repository) return [];
  const configured = (await settings(git, root, ["--type=path"], "core\\.hookspath", signal)).at(-1);
  const folder = configured ? resolve(root, configured.value) : join(repository.commonDir, "hooks");
  // Hooks that the user has set up for all repositories are the user's own, unless they are looked for inside this one.
  if (configured && !isRepositorys(configured) && !place.folders.some((own) => isInside(folder, own))) return [];
  const names = executablesIn(folder).filter((name) => !name.endsWith(".sample"));
  if (names.length > mostHooks) throw tooMany(folder, names.length);
  return names.map((name) => ({ id: `hook:${name}`, file: join(folder, name) }));
}

/** The programs that the repository's own configuration names: filters, drivers and the like. */
export async function gitPrograms({ folders: [root] }: TrustPlace, git: Git, signal: AbortSignal): Promise<Runnable[]> {
  if (!locateRepository(root)) return [];
  const found = (await settings(git, root, [], programKeys.join("|"), signal)).filter(isRepositorys);
  const commands = new Map<string, string[]>();
  for (const { key, value } of found) commands.set(key, [...(commands.get(key) ?? []), value]);
  return [...commands].map(([key, command]) => ({ id: `git:${key}`, command }));
}

/** The settings whose whole key fits, in git's order: the last one counts. Those that Forge itself gives are left out. */
async function settings(
  git: Git,
  root: string,
  options: string[],
  keys: string,
  signal: AbortSignal,
): Promise<Setting[]> {
  const asked = [...options, "--includes", "--show-scope", "-z", "--get-regexp", `^(${keys})$`];
  const { code, stdout, truncated } = await git.open(root).run("config", asked, { signal });
  const noneFound = code === 1;
  if (noneFound) return [];
  if (code !== 0 || truncated) throw unreadable(root);
  const fields = stdout.toString().split("\0");
  return fields
    .flatMap((scope, index): Setting[] => {
      const [, key = "", value = ""] = /^([^\n]*)\n?([\s\S]*)$/.exec(fields[index + 1] ?? "") ?? [];
      return index % 2 === 0 && key !== "" ? [{ scope, key, value }] : [];
    })
    .filter(({ scope }) => scope !== "command");
}

function isRepositorys({ scope }: Setting): boolean {
  return scope === "local" || scope === "worktree";
}

function unreadable(root: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `The git configuration of ${root} cannot be read, so what git would run is unknown.`,
    {
      details: { root },
      suggestions: ["Run `git config --list --show-origin` there: it says what is wrong."],
    },
  );
}

function tooMany(folder: string, count: number): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${folder} is set as a folder of git hooks, but holds ${count} programs.`,
    {
      details: { folder },
      suggestions: ["Look at `git config core.hooksPath` in the repository, and correct it."],
    },
  );
}
