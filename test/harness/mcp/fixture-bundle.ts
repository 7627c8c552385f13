import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { type RunningProgram, startScript } from "../cli/program.ts";

/**
 * The fixture server as one file, built once per test file: tests that start dozens of processes would otherwise
 * spend their time compiling. Returns a function that starts one.
 */
export function fixtureServer(): (args?: string[], env?: Record<string, string>) => RunningProgram {
  const bundled = bundle("fixture-server");
  return (args = [], env = {}) => startScript(bundled(), args, { env });
}

/** A script of this folder as one file, built before the tests of the file start. */
export function bundle(script: string): () => string {
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "forge-fixture-"));
    await build({
      entryPoints: [join(import.meta.dirname, `${script}.ts`)],
      outfile: join(folder, `${script}.mjs`),
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      logLevel: "warning",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, `${script}.mjs`);
}
