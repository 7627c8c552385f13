import { execFileSync } from "node:child_process";
import { findPostgres, startPostgres } from "./postgres.ts";

/** Runs once before all tests: builds the program that end-to-end tests start, and starts the one database server they share. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env["FORGE_TEST_BARE"]) return undefined;
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], { stdio: "inherit" });
  if (process.env["FORGE_TEST_POSTGRES_URL"] || !findPostgres()) return undefined;
  const { url, stop } = await startPostgres();
  process.env["FORGE_TEST_POSTGRES_URL"] = url;
  return stop;
}
