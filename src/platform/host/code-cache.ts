import { readdirSync, rmSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { entryAt } from "../files/entry-at.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the launcher keeps compiled code, as `launcher.cjs` has it; undefined where it is off or there is no place for it. */
export function codeCacheFolder(env: Environment, platform: NodeJS.Platform = process.platform): string | undefined {
  const { FORGE_CODE_CACHE, LOCALAPPDATA, HOME, XDG_CACHE_HOME } = env;
  if (FORGE_CODE_CACHE === "off") return undefined;
  if (platform === "win32") return inside(LOCALAPPDATA, "forge-mcp", "cache");
  if (platform === "darwin") return inside(HOME, "Library", "Caches", "forge-mcp");
  return inside(XDG_CACHE_HOME, "forge-mcp") ?? inside(HOME, ".cache", "forge-mcp");
}

/** Only a whole path counts: a relative one would make a project's own files the user's cache. */
function inside(base: string | undefined, ...names: string[]): string | undefined {
  return base && isAbsolute(base) ? join(base, ...names) : undefined;
}

const daysKept = 30;

/** Caches that no start of this Node will read again: another Node's, unfinished ones, and those nobody wrote for a month. */
export function findStaleCaches(folder: string, now: number): string[] {
  if (!entryAt(folder)?.isDirectory()) return [];
  const current = `-${process.version}-${process.arch}-`;
  const before = now - daysKept * 86_400_000;
  return readdirSync(folder)
    .filter((name) => /\.v8(?:\.\d+)?$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => !file.endsWith(".v8") || !file.includes(current) || wasWrittenBefore(file, before));
}

function wasWrittenBefore(file: string, moment: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) < moment;
}

export function removeCaches(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
}
