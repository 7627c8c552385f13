import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findPostgres, startPostgres } from "../db/postgres.ts";
import { CanaryRun } from "./canary-run.ts";
import { programsVariable } from "./programs.ts";
import { makeRunFolder } from "./run-folder.ts";

/**
 * Runs once before all tests: builds the program that end-to-end tests start, starts the one database server they share, and
 * plants secrets that must not be anywhere else at the end (G13).
 */
export async function setup({ vite }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env["FORGE_TEST_BARE"]) return undefined;
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], { stdio: "inherit" });
  const programs = makeProgramsFolder();
  process.env["GIT_TEMPLATE_DIR"] = makeGitTemplate(programs);
  const run = new CanaryRun(makeRunFolder({ onDisk: vite.config.mode === "slow" }));
  const stopDatabase = await startDatabase();
  return async () => {
    const findings = run.findings();
    await stopDatabase();
    run.remove();
    rmSync(programs, { recursive: true, force: true });
    if (findings.length === 0) return;
    // An error in here is shown, but does not count.
    process.exitCode = 1;
    throw new Error(`G13 planted secrets got out, into ${findings.join(", ")}`);
  };
}

function makeProgramsFolder(): string {
  const cache = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "forge-tests-"));
  process.env[programsVariable] = folder;
  return folder;
}

/** Without the dozen samples of hooks that git copies into every new repository: the tests make thousands of them. */
function makeGitTemplate(programs: string): string {
  const template = join(programs, "git-template");
  for (const name of ["hooks", "info"]) mkdirSync(join(template, name), { recursive: true });
  return template;
}

async function startDatabase(): Promise<() => Promise<void>> {
  if (process.env["FORGE_TEST_POSTGRES_URL"] || !findPostgres()) return async () => undefined;
  const { url, stop } = await startPostgres();
  process.env["FORGE_TEST_POSTGRES_URL"] = url;
  return stop;
}
