import { join } from "node:path";
import type { BenchClient } from "../client.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import { makeTasks } from "../task-store.ts";
import type { Workshop } from "../workshop.ts";
import { askMany, type Subject } from "./asking.ts";

/** As many as the smaller board has, so that both pages have the same bytes. */
const limit = 10;
const page = (client: BenchClient) => client.call("forge_get_tasks", { limit });

/** What a page of tasks costs on a small board and on a very large one. */
export async function measureWorkbenchTasks(
  { folder, servers }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number | undefined> }> {
  const subject = async (name: string, count: number): Promise<Subject> => {
    const cwd = await makeTasks(join(folder, name), count);
    return { name: `${count.toLocaleString("en")} tasks`, server: { ...servers.forge, name, cwd }, ask: page };
  };
  const few = await subject("few-tasks", effort.tickets.few);
  const many = await subject("many-tasks", effort.tickets.many);
  const measure = (one: Subject) => askMany(one, effort);
  for (const one of [few, many]) await askMany(one, { warmUpCalls: 1, calls: 1 });
  const samples = await measureRounds([few, many], { count: effort.ticketRounds, random: effort.random }, measure);
  const row = compare(samples, {
    id: "workbench-tasks",
    what: `First page of \`forge_get_tasks\`, ${many.name}, p50`,
    of: many.name,
    against: few.name,
    unit: "ms",
    pick: (ms) => ms,
    goal: { kind: "target", atMost: 1.5 },
  });
  return { rows: [row], samples };
}
