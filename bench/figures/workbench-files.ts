import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchClient } from "../client.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { askMany, readyAnswer, type Subject } from "./asking.ts";

const fileName = "read-by-the-bench.txt";
const content = "Forge reads this line.\n".repeat(50);

/** What reading a file through Forge costs, against a server that has the answer ready. */
export async function measureWorkbenchFiles(
  workshop: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number | undefined> }> {
  const { forge } = workshop.servers;
  writeFileSync(join(forge.cwd, fileName), content);
  const read = (client: BenchClient) => client.call("forge_read_file", { file_path: fileName });
  const subjects: Subject[] = [
    { name: "forge", server: forge, ask: read },
    await readyAnswer("file", workshop, forge, read),
  ];
  const measure = (subject: Subject) => askMany(subject, effort);
  const samples = await measureRounds(subjects, { count: effort.callRounds, random: effort.random }, measure);
  const row = compare(samples, {
    id: "workbench-read-file",
    what: "`forge_read_file` of 1 kB, p50",
    against: "file, ready",
    unit: "ms",
    pick: (ms) => ms,
    goal: { kind: "target", atMost: 2.5 },
  });
  return { rows: [row], samples };
}
