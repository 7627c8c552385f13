import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "../scripts/bundle-options.ts";

const root = join(import.meta.dirname, "..");
const sources = ["src", "scripts", "bin", "package.json", "tsconfig.json", "bench/servers"];

/** The kinds of answers that a one-answer server returns. */
export type AnswerKind = "context" | "page" | "file" | "governance" | "agents";

type ServerName = "one-tool" | "one-answer" | "team" | "bare-routes" | "encoder-memory";

/** A server as its author would publish it: one minified file. Returns the file. */
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
    ...bundleOptions,
    logLevel: "warning",
  });
  return outfile;
}

/** Forge built from a copy of the sources, because the checkout's dist/ may be in use. Returns its `forge`. */
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

/** Adds this many tools to the first room. */
function addEchoes(folder: string, count: number): void {
  renameSync(join(folder, "src/rooms.ts"), join(folder, "src/own-rooms.ts"));
  const withEchoes = [
    'import { rooms as own } from "./own-rooms.ts";',
    'const load = async () => (await import("../bench/servers/echo.ts")).echo;',
    `const names = Array.from({ length: ${count} }, (_, n) => (n === 0 ? "echo" : \`echo_\${n}\`));`,
    "const made = {};",
    "const more = Object.fromEntries(names.map((name) => [name, () => (made[name] ??= load().then((echo) => ({ ...echo, name })))]));",
    "export const rooms = own.map((room, index) => (index === 0 ? { ...room, tools: { ...room.tools, ...more } } : room));",
  ];
  writeFileSync(join(folder, "src/rooms.ts"), withEchoes.join("\n"));
}
