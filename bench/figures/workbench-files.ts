import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BenchClient, type ServerCommand } from "../client.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workshop } from "../workshop.ts";

type Subject = { name: string; server: ServerCommand; ask(client: BenchClient, index: number): Promise<unknown> };

const fileName = "read-by-the-bench.txt";
const content = "Forge reads this line.\n".repeat(50);

/** What reading a file through Forge costs, against a server whose one tool says hello. */
export async function measureWorkbenchFiles(
  { servers }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number | undefined> }> {
  const { forge, oneTool } = servers;
  writeFileSync(join(forge.cwd, fileName), content);
  const subjects: Subject[] = [
    { name: "forge", server: forge, ask: (client) => client.call("forge_read_file", { file_path: fileName }) },
    { name: "one-tool", server: oneTool, ask: (client, index) => client.call("echo", { text: `hello ${index}` }) },
  ];
  const measure = (subject: Subject) => askMany(subject, effort);
  const samples = await measureRounds(subjects, { count: effort.callRounds, random: effort.random }, measure);
  const row = compare(samples, {
    id: "workbench-read-file",
    what: "forge_read_file of 1 kB, p50",
    against: "one-tool",
    unit: "ms",
    pick: (ms) => ms,
    goal: { kind: "target", atMost: 2.5 },
  });
  return { rows: [row], samples };
}

async function askMany(
  { server, ask }: Subject,
  { warmUpCalls, calls }: Pick<Effort, "warmUpCalls" | "calls">,
): Promise<number | undefined> {
  const client = new BenchClient(server);
  try {
    await client.greet();
    for (let index = 0; index < warmUpCalls; index++) await ask(client, index);
    const times: number[] = [];
    for (let index = 0; index < calls; index++) {
      const begun = performance.now();
      await ask(client, index);
      times.push(performance.now() - begun);
    }
    return median(times);
  } finally {
    await client.end();
  }
}
