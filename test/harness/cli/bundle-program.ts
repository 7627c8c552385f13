import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { programsVariable } from "../vitest/programs.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** A bundle is somewhere else than the source, which looks for files beside itself. */
const sourcePlace: Plugin = {
  name: "source-place",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (path.includes("node_modules") || !text.includes("import.meta.")) return undefined;
      const place = `const sourcePlace = ${JSON.stringify({ dirname: join(path, ".."), url: pathToFileURL(path).href })};`;
      return {
        contents: `${text.replaceAll(/import\.meta\.(dirname|url)\b/g, "sourcePlace.$1")}\n${place}`,
        loader: "ts",
      };
    });
  },
};

/**
 * A TypeScript program of the tests as JavaScript, to be started as a process: many tests start it many times, and loading
 * its source takes seconds. Once per run of the tests.
 */
export async function bundleProgram(source: URL): Promise<string> {
  const path = fileURLToPath(source);
  const name = createHash("sha256").update(path).digest("hex").slice(0, 12);
  const programs =
    process.env[programsVariable] ?? join(root, "node_modules", ".cache", "forge-tests", String(process.pid));
  const made = join(programs, name);
  const program = join(made, "program.mjs");
  if (existsSync(program)) return program;
  mkdirSync(programs, { recursive: true });
  const outdir = mkdtempSync(join(programs, "new-"));
  await build({
    entryPoints: { program: path },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    plugins: [sourcePlace],
    logLevel: "warning",
  });
  try {
    renameSync(outdir, made);
  } catch {
    // Another worker was faster.
    rmSync(outdir, { recursive: true, force: true });
  }
  return program;
}
