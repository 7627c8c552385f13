import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { seededRandom, shuffled } from "../../../../bench/statistics.ts";
import type { Room } from "./workbench-executions.ts";

const packages = join(import.meta.dirname, "..", "..", "..", "..", "node_modules");

export type KillPoint = {
  /** The number of the git command within the step. */
  nth: number;
  /** Whether that command still runs. */
  side: "before" | "after";
};

export type Step = { name: "execute" | "commit" | "cancel"; blockId: string; taskId: string; isolation: string };

const { FORGE_TEST_KILL } = process.env;
const sampled = FORGE_TEST_KILL === undefined ? 4 : Number(FORGE_TEST_KILL);

/** A sample of kill points for a step with this many git commands. FORGE_TEST_KILL sets its size (each takes seconds). */
export function pointsOf(count: number): KillPoint[] {
  const all = Array.from({ length: count }, (_, index) => index + 1).flatMap((nth): KillPoint[] => [
    { nth, side: "before" },
    { nth, side: "after" },
  ]);
  return shuffled(all, seededRandom(7)).slice(0, sampled);
}

/** Runs steps of executions in processes that are killed at one of their git commands. */
export class KillBench {
  readonly #program = mkdtempSync(join(packages, ".forge-kill-"));
  readonly #worker = join(this.#program, "worker.mjs");

  constructor() {
    buildSync({
      entryPoints: [fileURLToPath(new URL("workbench-kill-worker.ts", import.meta.url))],
      outfile: this.#worker,
      bundle: true,
      platform: "node",
      format: "esm",
      // Some packages still use it.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      // Its main file requires its parts in a way that bundlers cannot follow.
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
      external: ["@photostructure/sqlite", "pg-native", "@napi-rs/keyring"],
      logLevel: "error",
    });
  }

  /** Runs a step, killed at the point if one is given. Returns how many git commands it ran. */
  async run(room: Room, { name, blockId, taskId, isolation }: Step, point?: KillPoint) {
    const shims = join(room.sandbox.root, "shims");
    rmSync(shims, { recursive: true, force: true });
    mkdirSync(join(shims, "calls"), { recursive: true });
    writeFileSync(join(shims, "git"), shim(shims, point));
    chmodSync(join(shims, "git"), 0o755);
    const args = [this.#worker, name, room.sandbox.root, shims, blockId, taskId, isolation];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk) => (said += chunk));
    const signal = await new Promise<string | null>((resolve) => child.once("close", (_code, by) => resolve(by)));
    if (signal === null && said !== "") throw new Error(said);
    const count = existsSync(join(shims, "count")) ? readFileSync(join(shims, "count"), "utf8").length : 0;
    return { wasKilled: signal === "SIGKILL", count };
  }

  dispose(): void {
    rmSync(this.#program, { recursive: true, force: true });
  }
}

/** A git that counts its calls by the length of a file, and kills the process that started it. */
function shim(folder: string, point: KillPoint | undefined): string {
  const real = "/usr/bin/git";
  return `#!/bin/sh
exec 9>>'${folder}/lock'
flock 9
printf x >> '${folder}/count'
nth=$(wc -c < '${folder}/count')
exec 9>&-
if [ "$nth" -eq ${point?.nth ?? 0} ]; then
  ${point?.side === "after" ? `${real} "$@"` : ":"}
  kill -9 $PPID
  exit 1
fi
exec ${real} "$@"
`;
}
