import type { Call } from "../../kernel/calls/call.ts";

/**
 * Whether a file was installed or fetched by the registry. It was written by others, who are not the authors of the project:
 * trusting the project says nothing about it. Also of a text that names such a file.
 */
export function isInstalled(path: string): boolean {
  return /(?:^|[\\/\s])\.fractary[\\/](?:registry|plugins)[\\/]/i.test(path);
}

/** Whether a folder has such files in it, or is one of theirs: what is run there could be theirs. */
export function hasInstalled(folder: string): boolean {
  return folder.split(/[\\/]/).some((name) => name.toLowerCase() === ".fractary");
}

/** Before content or names of files at these places are returned: those of installed packages are text by others. */
export async function noteInstalled(call: Pick<Call, "noteUntrusted">, places: readonly string[]): Promise<void> {
  if (places.some(isInstalled)) await call.noteUntrusted();
}
