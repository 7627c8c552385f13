import { basename, dirname, join, resolve } from "node:path";
import { entryAt } from "../../../platform/files/entry-at.ts";
import type { Git } from "../../../platform/git/git.ts";
import { isInside, locateRepository } from "../../../platform/git/run/locate-repository.ts";
import { executablesIn } from "../../../platform/state/pinned-file.ts";
import { listCheckRunnables } from "../../test-runs/project/configured-commands.ts";
import { tooManyHooks } from "../errors.ts";
import type { TrustPlace } from "../place.ts";
import type { Runnable } from "../runnable.ts";
import { isFromRepository, readGitSettings } from "./git-settings.ts";

const maxHooks = 200;

/** Keys that name a program git runs by itself, besides hooks; a pattern of git's, for names in lower case. */
const programKeys = [
  "core\\.(fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)",
  "(sequence\\.editor|diff\\.external|interactive\\.difffilter|gpg\\.program|credential\\.helper)",
  "diff\\..*\\.(command|textconv)",
  "filter\\..*\\.(clean|smudge|process)",
  "merge\\..*\\.driver",
  "hook\\..*\\.command",
  "gpg\\..*\\.(program|defaultkeycommand)",
  "(uploadpack\\.packobjectshook|gc\\.recentobjectshook)",
  "credential\\..*\\.helper",
  "remote\\..*\\.(uploadpack|receivepack|vcs)",
  "trailer\\..*\\.(command|cmd)",
];

/** Where git looks for hooks, and whether they are the repository's own or the user's for all repositories. */
export type HooksFolder = { folder: string; isOwn: boolean };

export async function locateHooks(place: TrustPlace, git: Git, signal: AbortSignal): Promise<HooksFolder | undefined> {
  const [root] = place.folders;
  const repository = locateRepository(root);
  if (!repository) return undefined;
  const configured = (await readGitSettings(git, root, "core\\.hookspath", { signal, options: ["--type=path"] })).at(
    -1,
  );
  const folder = configured ? resolve(root, configured.value) : join(repository.commonDir, "hooks");
  // Hooks that the user has set up for all repositories are the user's own, unless they are looked for inside this one.
  const isOwn = !configured || isFromRepository(configured) || place.folders.some((own) => isInside(folder, own));
  return { folder, isOwn };
}

/** The repository's hooks that git would run: the executable files of its hooks folder. */
export async function gitHooks(place: TrustPlace, git: Git, signal: AbortSignal): Promise<Runnable[]> {
  const found = await locateHooks(place, git, signal);
  return found?.isOwn ? listHooks(found.folder) : [];
}

export function listHooks(folder: string): Runnable[] {
  const names = executablesIn(folder).filter((name) => !name.endsWith(".sample"));
  if (names.length > maxHooks) throw tooManyHooks(folder, names.length);
  const hooks = names.map((name) => ({ id: `hook:${name}`, file: join(folder, name) }));
  return [...hooks, ...listCalledHooks(folder, names)];
}

/**
 * What husky's hooks call: the project's own of each name in `.husky`, for those in `.husky/_`, and what all of them load first,
 * which version 9 has beside them and version 8 in a folder below.
 */
function listCalledHooks(folder: string, names: readonly string[]): Runnable[] {
  const isHusky = basename(folder) === "_";
  const parent = dirname(folder);
  const loaded = isHusky
    ? { id: "hook:_/h", file: join(folder, "h") }
    : { id: "hook:_/husky.sh", file: join(folder, "_", "husky.sh") };
  const called = names.map((name) => ({ id: `hook:${basename(parent)}/${name}`, file: join(parent, name) }));
  // One that may be executed is among the hooks already.
  const isListed = (file: string) => names.some((name) => join(folder, name) === file);
  return [loaded, ...(isHusky ? called : [])].filter(
    ({ file }) => !isListed(file) && entryAt(file)?.isDirectory() === false,
  );
}

/** The programs that the repository's own configuration names, filters, drivers and the like, and what of the project they run. */
export async function gitPrograms({ folders: [root] }: TrustPlace, git: Git, signal: AbortSignal): Promise<Runnable[]> {
  if (!locateRepository(root)) return [];
  const found = (await readGitSettings(git, root, programKeys.join("|"), { signal })).filter(isFromRepository);
  const commands = new Map<string, string[]>();
  for (const { key, value } of found) commands.set(key, [...(commands.get(key) ?? []), value]);
  const behind = found.flatMap(({ value }) => listCheckRunnables(root, ["sh", "-c", value]));
  return [...[...commands].map(([key, command]) => ({ id: `git:${key}`, command })), ...behind];
}
