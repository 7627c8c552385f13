import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { type Ending, type SweepRow, sweepRows } from "./sweep-rows.ts";
import { callsOf, joinedLines, sawBegin } from "./sweep-trace.ts";

/** One system call of an operation, and the fault injected into it. */
export type SweepPoint = { row: SweepRow; call: string; nth: number; fault: string };

export type SweepResult = { point: SweepPoint; hit: boolean; faults: string[] };

const traced =
  "trace=%file,fsync,write,pwrite64,read,pread64,close,fchmod,fchown,getdents64,fstat,statx,copy_file_range,sendfile";

/** The errors that each kind of call can return; any other call returns a plain I/O error. */
const errorsOf: Record<string, string[]> = {
  pwrite64: ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EFBIG"],
  fsync: ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
  rename: ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS"],
  link: ["EIO", "ENOSPC", "EDQUOT", "EPERM"],
  unlink: ["EIO", "EACCES"],
  openat: ["EIO", "EMFILE", "EACCES", "EINTR", "ENOSPC"],
  mkdir: ["EIO", "ENOSPC", "EACCES"],
  read: ["EIO", "EINTR"],
};

const packages = join(import.meta.dirname, "..", "..", "..", "..", "node_modules");

const draft = /^\.forge-draft-[0-9a-f]+\.tmp$/;

/** Makes each system call of the operations fail, or kills the process there, and checks what is left. */
export class Sweep {
  readonly #folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-sweep-")));
  /** Inside node_modules, because the target needs one package that cannot be bundled. */
  readonly #program = mkdtempSync(join(packages, ".forge-sweep-"));
  readonly #target = join(this.#program, "target.cjs");

  constructor() {
    buildSync({
      entryPoints: [fileURLToPath(new URL("sweep-target.ts", import.meta.url))],
      outfile: this.#target,
      bundle: true,
      platform: "node",
      // Loading a module keeps other threads busy, and their calls are counted too.
      format: "cjs",
      external: ["@photostructure/sqlite"],
      logLevel: "error",
    });
  }

  /** Every point of every operation, or of those named, found by tracing one run without faults. */
  async points(only?: readonly string[]): Promise<SweepPoint[]> {
    const points: SweepPoint[] = [];
    for (const row of sweepRows.filter(({ name }) => only?.includes(name) ?? true)) {
      const { log, ending } = await this.#run(row, await this.#prepared(row), []);
      if (ending.outcome !== "done") throw new Error(`${row.name} fails without any fault: ${JSON.stringify(ending)}`);
      for (const { name, nth } of callsOf(log).calls) {
        const faults = ["signal=KILL", ...(errorsOf[name] ?? ["EIO"]).map((error) => `error=${error}`)];
        points.push(...faults.map((fault) => ({ row, call: name, nth, fault })));
      }
    }
    return points;
  }

  /** Threads are scheduled freely, so a fault may hit another call; then the point is tried again. */
  async check(point: SweepPoint): Promise<SweepResult> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.#checkOnce(point);
      if (result.hit || result.faults.length > 0 || attempt === 4) return result;
    }
  }

  dispose(): void {
    for (const folder of [this.#folder, this.#program]) rmSync(folder, { recursive: true, force: true });
  }

  async #checkOnce(point: SweepPoint): Promise<SweepResult> {
    const { row, call, nth, fault } = point;
    const folder = await this.#prepared(row);
    try {
      const { log, ending, noise } = await this.#run(row, folder, ["-e", `inject=${call}:${fault}:when=${nth}`]);
      const { calls, ended } = callsOf(log);
      const killed = fault === "signal=KILL";
      const hit = killed ? sawBegin(log) && !ended : calls.some(({ injected }) => injected);
      // The runtime's own calls were struck, or none of this operation.
      if (!hit && noise !== "") return { point, hit, faults: [] };
      const faults = noise === "" ? [] : [`it ended with: ${noise.slice(0, 500)}`];
      faults.push(...(await row.faults(folder, ending)));
      if (ending.outcome !== "killed" && call !== "unlink")
        faults.push(...draftsIn(folder).map((path) => `left ${path}`));
      faults.push(...(await this.#recoveryFaults(row, folder)));
      return { point, hit, faults };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** A later process finds everything usable and removes what was left. */
  async #recoveryFaults(row: SweepRow, folder: string): Promise<string[]> {
    const longAgo = new Date(Date.now() - 86_400_000);
    for (const path of draftsIn(folder)) utimesSync(join(folder, path), longAgo, longAgo);
    try {
      await row.repeat(folder);
    } catch (error) {
      return [`repeating it failed: ${error}`];
    }
    const left = draftsIn(join(folder, "root"));
    return [...(await row.faults(folder, { outcome: "done" })), ...left.map((path) => `${path} was not cleared away`)];
  }

  async #prepared(row: SweepRow): Promise<string> {
    const folder = mkdtempSync(join(this.#folder, "run-"));
    await row.prepare(folder);
    return folder;
  }

  async #run(row: SweepRow, folder: string, inject: string[]) {
    const logFile = join(folder, "trace");
    const args = ["-f", "-qq", "-o", logFile, "-e", traced, ...inject];
    const child = spawn("strace", [...args, process.execPath, this.#target, row.name, folder], {
      env: { PATH: process.env["PATH"] ?? "", UV_THREADPOOL_SIZE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let noise = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (noise += chunk));
    await new Promise((resolve) => child.once("close", resolve));
    const log = joinedLines(readFileSync(logFile, "utf8"));
    rmSync(logFile);
    const ending: Ending = stdout === "" ? { outcome: "killed" } : JSON.parse(stdout);
    return { log, ending, noise };
  }
}

function draftsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    draft.test(path.split("/").at(-1) ?? ""),
  );
}

export function nameOf({ row, call, nth, fault }: SweepPoint): string {
  return `${row.name}: ${call} number ${nth}, ${fault}`;
}
