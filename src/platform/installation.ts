import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { locateProgram } from "./exec-program.ts";

const packageName = "forge-mcp";

/** A program as the person's shell would find it; undefined where it finds none. */
export function programOnPath(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const known = Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  try {
    return locateProgram(name, { cwd: dirname(process.execPath), env: Object.fromEntries(known) });
  } catch {
    return undefined;
  }
}

/** Whether a program on the path is Forge: `forge` is also what other programs are called. */
export function isForge(program: string): boolean {
  const real = realPath(program);
  // npm's scripts for Windows stand beside the folder that they start programs of.
  const candidates = [
    join(dirname(dirname(real)), "package.json"),
    join(dirname(program), "node_modules", packageName, "package.json"),
  ];
  return candidates.some((file) => packageIn(file) === packageName);
}

/** The script that `forge` starts, for a configuration that cannot rely on the search path. */
export function ownScript(startedAs: string): string {
  return join(dirname(realPath(startedAs)), "forge.cjs");
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function packageIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")).name;
  } catch {
    return undefined;
  }
}
