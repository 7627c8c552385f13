import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "./files/entry.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the launcher keeps compiled code, as `launcher.cjs` has it; undefined where it is off or there is no place for it. */
export function codeCacheFolder(env: Environment, platform: NodeJS.Platform = process.platform): string | undefined {
  const { FORGE_CODE_CACHE, LOCALAPPDATA, HOME, XDG_CACHE_HOME } = env;
  if (FORGE_CODE_CACHE === "off") return undefined;
  if (platform === "win32") return LOCALAPPDATA && join(LOCALAPPDATA, "forge-mcp", "cache");
  if (platform === "darwin") return HOME && join(HOME, "Library", "Caches", "forge-mcp");
  const base = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
  return base && join(base, "forge-mcp");
}

const daysKept = 30;

/** Caches that no start of this Node will read again: another Node's, unfinished ones, and those nobody wrote for a month. */
export function staleCaches(folder: string, now: number): string[] {
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
