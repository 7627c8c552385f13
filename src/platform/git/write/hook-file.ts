import { chmodSync, mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { createFileOnce, readSmallFile } from "../../files/small-file.ts";
import type { Repository } from "../read/repository.ts";

const maxHookBytes = 65_536;

export type HookOutcome = { path: string; outcome: "written" | "unchanged" | "taken" };

/** Writes a hook where this repository's git looks for hooks. One that is there, and is not the same, stays. */
export async function writeHook(
  repository: Repository,
  { name, text }: { name: string; text: string },
  signal: AbortSignal,
): Promise<HookOutcome> {
  const { commonDir, workTree } = repository.location;
  const given =
    (await readSetting(repository, "--local", signal)) || (await readSetting(repository, "--global", signal));
  const folder = given === "" ? join(commonDir, "hooks") : isAbsolute(given) ? given : join(workTree, given);
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  if (createFileOnce(path, text, 0o755)) {
    // The mode that a file is created with is cut by the umask.
    chmodSync(path, 0o755);
    return { path, outcome: "written" };
  }
  return { path, outcome: readSmallFile(path, maxHookBytes) === text ? "unchanged" : "taken" };
}

/** Asked of each file by itself: what Forge sets for its own git comes before all of them. */
async function readSetting(repository: Repository, scope: string, signal: AbortSignal): Promise<string> {
  const args = [scope, "--get", "--type=path", "core.hooksPath"];
  const { code, stdout } = await repository.run("config", args, { signal });
  return code === 0 ? stdout.toString().trim() : "";
}
