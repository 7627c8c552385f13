import type { Git } from "../../../platform/git/git.ts";
import { writeHook } from "../../../platform/git/write/hook-file.ts";
import { hookText } from "../guides/hook-texts.ts";
import { hookExists, hooksOutside, notInGit } from "./errors.ts";

/** Writes the hook where git looks for it; doing so again changes nothing. */
export async function installPushHook(
  git: Git,
  root: string,
  signal: AbortSignal,
): Promise<{ path: string; installed: boolean }> {
  const repository = git.find(root);
  if (!repository) throw notInGit("A hook");
  const { path, outcome } = await writeHook(repository, { name: "pre-push", text: hookText }, signal);
  if (outcome === "outside") throw hooksOutside(path);
  if (outcome === "taken") throw hookExists(path);
  return { path, installed: outcome === "written" };
}
