import { ForgeError } from "../../../kernel/errors.ts";

/**
 * What came with which git. 2.31: settings from numbered environment variables, which an older one would ignore silently.
 * 2.38: merging without a work tree.
 */
export type GitVersion = "2.31" | "2.38";

const knownVersions = new Map<string, string>();

/** Throws if this git is too old. Each program is asked once, unless it is too old. */
export async function requireVersion(
  ask: () => Promise<{ stdout: Buffer }>,
  program: string,
  needed: GitVersion = "2.31",
): Promise<void> {
  const text = knownVersions.get(program) ?? (await ask()).stdout.toString().trim();
  if (!isNewEnough(text, needed))
    throw new ForgeError("DEPENDENCY_ERROR", `This needs git ${needed} or newer, but ${program} is ${text}.`, {
      details: { program, found: text },
      next: ["Update git and restart Forge."],
    });
  knownVersions.set(program, text);
}

export function isNewEnough(text: string, needed: GitVersion = "2.31"): boolean {
  const [, major = "0", minor = "0"] = /^git version (\d+)\.(\d+)/.exec(text) ?? [];
  const [neededMajor = 0, neededMinor = 0] = needed.split(".").map(Number);
  return Number(major) > neededMajor || (Number(major) === neededMajor && Number(minor) >= neededMinor);
}
