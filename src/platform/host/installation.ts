import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPlace } from "../files/real-place.ts";

const packageName = "forge-mcp";

/** Whether a program on the path is Forge: `forge` is also what other programs are called. */
export function isForge(program: string): boolean {
  const real = realPlace(program);
  // npm's scripts for Windows stand beside the folder that they start programs of.
  const candidates = [
    join(dirname(dirname(real)), "package.json"),
    join(dirname(program), "node_modules", packageName, "package.json"),
  ];
  return candidates.some((file) => packageIn(file) === packageName);
}

/** The script that `forge` starts, for a configuration that cannot rely on the search path. */
export function ownScript(startedAs: string): string {
  return join(dirname(realPlace(startedAs)), "forge.cjs");
}

function packageIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")).name;
  } catch {
    return undefined;
  }
}
