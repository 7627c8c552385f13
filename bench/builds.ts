import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const sources = ["src", "scripts", "bin", "package.json", "tsconfig.json", "bench/servers"];

/** What the server with one answer answers with. */
export type AnswerKind = "context" | "page" | "file" | "governance";

type ServerName = "one-tool" | "one-answer" | "team" | "bare-routes";

/** A server as its author would publish it: one minified file, nothing clever. Returns the file. */
export async function bundleServer(folder: string, name: ServerName): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  await build({
    entryPoints: [join(root, `bench/servers/${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    external: ["@photostructure/sqlite", "pg-native"],
    logLevel: "warning",
  });
  return outfile;
}

/** Forge built from a copy of the sources, by their own build script: the checkout's dist/ may be in use. Returns its `forge`. */
export function buildForge(folder: string, { echoes }: { echoes: number }): string {
  mkdirSync(folder);
  for (const part of sources) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  if (echoes > 0) addEchoes(folder, echoes);
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], {
    cwd: folder,
    env: process.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(folder, "bin/forge.cjs");
}

/** So many tools more in the first toolset; everything else stays as it is. */
function addEchoes(folder: string, count: number): void {
  renameSync(join(folder, "src/app/toolsets.ts"), join(folder, "src/app/own-toolsets.ts"));
  const withEchoes = [
    'import { echo } from "./servers/echo.ts";',
    'import { toolsets as own } from "./own-toolsets.ts";',
    `const more = Array.from({ length: ${count} }, (_, n) => (n === 0 ? echo : { ...echo, name: \`echo_\${n}\` }));`,
    "export const toolsets = own.map((set, index) => (index === 0 ? { ...set, tools: [...set.tools, ...more] } : set));",
  ];
  writeFileSync(join(folder, "src/app/toolsets.ts"), withEchoes.join("\n"));
}
