import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const sources = ["src", "scripts", "bin", "package.json", "tsconfig.json", "bench/servers"];

/** The one-tool server as its author would publish it: one minified file, nothing clever. Returns the file. */
export async function bundleOneTool(folder: string): Promise<string> {
  const outfile = join(folder, "one-tool.cjs");
  await build({
    entryPoints: [join(root, "bench/servers/one-tool.ts")],
    outfile,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    logLevel: "warning",
  });
  return outfile;
}

/** Forge built from a copy of the sources, by their own build script: the checkout's dist/ may be in use. Returns its `forge`. */
export function buildForge(folder: string, { withEcho }: { withEcho: boolean }): string {
  mkdirSync(folder);
  for (const part of sources) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  if (withEcho) addEcho(folder);
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], {
    cwd: folder,
    env: process.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(folder, "bin/forge.cjs");
}

/** One tool more in the first toolset; everything else stays as it is. */
function addEcho(folder: string): void {
  renameSync(join(folder, "src/toolsets.ts"), join(folder, "src/own-toolsets.ts"));
  const withEcho = [
    'import { echo } from "../bench/servers/echo.ts";',
    'import { toolsets as own } from "./own-toolsets.ts";',
    "export const toolsets = own.map((set, index) => (index === 0 ? { ...set, tools: [...set.tools, echo] } : set));",
  ];
  writeFileSync(join(folder, "src/toolsets.ts"), withEcho.join("\n"));
}
