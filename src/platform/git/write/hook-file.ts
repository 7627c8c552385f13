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
  const configured = await repository.run("config", ["--get", "--type=path", "core.hooksPath"], { signal });
  const given = configured.code === 0 ? configured.stdout.toString().trim() : "";
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
