import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSqlite, type SqliteHandle } from "../src/platform/db/sqlite-library.ts";
import { addCounter, countOf, openDemo } from "../test/harness/store-demo.ts";
import { perform } from "../test/harness/store-jobs.ts";

/** 8 processes, 200 read-modify-write transactions each, on one SQLite file: our store against the bare driver. */
const processes = 8;
const times = 200;
const rounds = 3;

type Contender = "store" | "bare driver";
type Task = { contender: Contender; file: string };

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
        await Promise.all(workers.map((child) => run(child, { contender, file })));
        const took = performance.now() - started;
        best[contender] = Math.min(best[contender], took);
        console.log(
          `${contender.padEnd(12)} ${took.toFixed(0).padStart(6)} ms   kept ${await kept(file)} of ${processes * times}`,
        );
      }
    }
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
  process.on("message", (task: Task) => {
    const work =
      task.contender === "store" ? perform({ job: "increment", place: { file: task.file }, times }) : bare(task.file);
    work.then(
      () => process.send?.({}),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.send?.({});
}

/** The same settings and statements with nothing around them; SQLite itself waits for the lock. */
async function bare(file: string): Promise<void> {
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
