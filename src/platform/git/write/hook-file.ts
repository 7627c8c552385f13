import { chmodSync, mkdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { entryAt } from "../../files/entry-at.ts";
import { realPathOf } from "../../files/real-place.ts";
import { createFileOnce, readSmallFile } from "../../files/small-file.ts";
import type { Repository } from "../read/repository.ts";
import { isInside } from "../run/locate-repository.ts";

const maxHookBytes = 65_536;

/** `outside`: the repository's own setting, or a link in it, leads the folder of hooks out of it. */
export type HookOutcome = { path: string; outcome: "written" | "unchanged" | "taken" | "outside" };

/** Writes a hook where this repository's git looks for hooks. One that is there, and is not the same, stays. */
export async function writeHook(
  repository: Repository,
  { name, text }: { name: string; text: string },
  signal: AbortSignal,
): Promise<HookOutcome> {
  const { commonDir, workTree } = repository.location;
  const own = await readSetting(repository, "--local", signal);
  const given = own || (await readSetting(repository, "--global", signal));
  const folder = given === "" ? join(commonDir, "hooks") : isAbsolute(given) ? given : join(workTree, given);
  const path = join(folder, name);
  const parts = [workTree, commonDir];
  // A folder that the user's own settings place elsewhere is theirs to choose; the repository's settings may have come with it.
  const isUsers = own === "" && !isInParts(folder, parts);
  if (!isUsers && leavesRepository(folder, parts)) return { path, outcome: "outside" };
  mkdirSync(folder, { recursive: true });
  if (createFileOnce(path, text, 0o755)) {
    // The mode that a file is created with is cut by the umask.
    chmodSync(path, 0o755);
    return { path, outcome: "written" };
  }
  return { path, outcome: readSmallFile(path, maxHookBytes) === text ? "unchanged" : "taken" };
}

function leavesRepository(folder: string, parts: readonly string[]): boolean {
  let existing = folder;
  while (!entryAt(existing)) existing = dirname(existing);
  const place = realPathOf(existing);
  return place === undefined || !isInParts(place, parts);
}

function isInParts(place: string, parts: readonly string[]): boolean {
  return parts.some((part) => place === part || isInside(place, part));
}

/** Asked of each file by itself: what Forge sets for its own git comes before all of them. */
async function readSetting(repository: Repository, scope: string, signal: AbortSignal): Promise<string> {
  const args = [scope, "--get", "--type=path", "core.hooksPath"];
  const { code, stdout } = await repository.run("config", args, { signal });
  return code === 0 ? stdout.toString().trim() : "";
}
