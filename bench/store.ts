import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadSqlite, type SqliteHandle } from "../src/platform/db/sqlite/library.ts";
import { addCounter, countOf, openDemo } from "../test/harness/db/store-demo.ts";
import { perform } from "../test/harness/db/store-jobs.ts";

/** Processes that each make read-modify-write transactions on one SQLite file: our store compared with the bare driver. */
const { values: options } = parseArgs({
  options: {
    processes: { type: "string", default: "8" },
    times: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
  },
});
const processes = Number(options.processes);
const times = Number(options.times);
const rounds = Number(options.rounds);

type Contender = "store" | "bare driver";
type Task = { contender: Contender; file: string; times: number };

/** With `--json`, one of these per line. */
export type StoreRound = { round: number; contender: Contender; ms: number; kept: number; asked: number };

if (process.send) worker();
else await compare();

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "forge-bench-"));
  const best: Record<Contender, number> = { store: Number.POSITIVE_INFINITY, "bare driver": Number.POSITIVE_INFINITY };
  const workers = await Promise.all(Array.from({ length: processes }, startWorker));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const contender of ["bare driver", "store"] as const) {
        const file = join(mkdtempSync(join(folder, "round-")), ".forge", "forge.db");
        await prepare(file);
        const started = performance.now();
        await Promise.all(workers.map((child) => run(child, { contender, file, times })));
        const ms = performance.now() - started;
        best[contender] = Math.min(best[contender], ms);
        print({ round, contender, ms, kept: (await kept(file)) ?? 0, asked: processes * times });
      }
    }
    if (options.json) return;
    const perSecond = (contender: Contender) => Math.round((processes * times * 1000) / best[contender]);
    console.log(
      `best: store ${perSecond("store")} transactions/s, bare driver ${perSecond("bare driver")} transactions/s`,
    );
    console.log(`store takes ${(best.store / best["bare driver"]).toFixed(2)} x the bare driver's time`);
  } finally {
    for (const child of workers) child.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(made: StoreRound): void {
  const { contender, ms, kept, asked } = made;
  if (options.json) console.log(JSON.stringify(made));
  else console.log(`${contender.padEnd(12)} ${ms.toFixed(0).padStart(6)} ms   kept ${kept} of ${asked}`);
}

async function startWorker() {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ["--import", "tsx"] });
  await once(child, "message");
  return child;
}

async function run(child: Awaited<ReturnType<typeof startWorker>>, task: Task): Promise<void> {
  child.send(task);
  const [answer] = await once(child, "message");
  if (answer.error) throw new Error(answer.error);
}

async function prepare(file: string): Promise<void> {
  const db = openDemo({ file });
  await addCounter(db, "c");
  await db.close();
}

async function kept(file: string): Promise<number | undefined> {
  const db = openDemo({ file });
  const count = await countOf(db, "c");
  await db.close();
  return count;
}

function worker(): void {
  process.on("message", ({ contender, file, times }: Task) => {
    const work = contender === "store" ? perform({ job: "increment", place: { file }, times }) : bare(file, times);
    work.then(
      () => process.send?.({}),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.send?.({});
}

/** The same settings and statements with nothing around them; SQLite itself waits for the lock. */
async function bare(file: string, times: number): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const handle: SqliteHandle = new DatabaseSync(file);
  handle.exec("pragma busy_timeout = 15000; pragma synchronous = full");
  const read = handle.prepare("select count from counter where id = ?");
  const write = handle.prepare("update counter set count = ? where id = ?");
  for (let done = 0; done < times; done++) {
    handle.exec("begin immediate");
    const [count] = Object.values(Object(read.all("c")[0]));
    write.run(Number(count) + 1, "c");
    handle.exec("commit");
  }
  handle.close();
}
