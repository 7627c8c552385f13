import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Effort } from "../effort.ts";
import { Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { StoreRound } from "../store.ts";

const root = join(import.meta.dirname, "../..");

/** Many processes on one SQLite file: acknowledged writes must be stored. Compares the store with its driver. */
export async function measureStore(
  env: Record<string, string>,
  { storeProcesses, storeTransactions, storeRounds }: Effort,
): Promise<{ rows: Row[]; samples: Rounds<StoreRound> }> {
  const counts = ["--processes", `${storeProcesses}`, "--times", `${storeTransactions}`, "--rounds", `${storeRounds}`];
  const args = ["--import", "tsx", "bench/store.ts", "--json", ...counts];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  const samples = new Rounds<StoreRound>();
  for (const line of stdout.trim().split("\n")) {
    const round: StoreRound = JSON.parse(line);
    samples.add(round.contender, round);
  }
  const what = `${storeProcesses} processes × ${storeTransactions} transactions on one file`;
  return { rows: [keptRow(samples, what), timeRow(samples, what)], samples };
}

/** The worst round, not the median: a single lost update is one too many. */
function keptRow(samples: Rounds<StoreRound>, what: string): Row {
  const rounds = samples.samplesOf("store");
  const kept = Math.min(...rounds.map((round) => round.kept));
  const asked = Math.max(...rounds.map((round) => round.asked));
  const goal = { kind: "target", atLeast: 1 } as const;
  return {
    id: "store",
    what: `${what}: kept`,
    unit: "transactions",
    forge: kept,
    against: "asked",
    other: asked,
    ratio: kept / asked,
    goal,
  };
}

function timeRow(samples: Rounds<StoreRound>, what: string): Row {
  return compare(samples, {
    id: "store-time",
    what: `${what}: time`,
    of: "store",
    against: "bare driver",
    unit: "ms",
    pick: (round) => round.ms,
  });
}
