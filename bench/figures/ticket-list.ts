import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { elapsed } from "./cli.ts";
import type { TicketProjects } from "./ticket-projects.ts";

const floor = "forge version";

/** The time to list tickets, compared with a command that only prints the version. */
export async function measureTicketList(
  { forge, env }: Workshop,
  { few, many }: TicketProjects,
  { commands, random }: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number> }> {
  const subjects = [
    { name: floor, args: [forge, "version"], cwd: many.folder },
    ...[few, many].map(({ name, folder }) => ({ name: `list, ${name}`, args: [forge, "list"], cwd: folder })),
  ];
  const run = ({ args, cwd }: (typeof subjects)[number]) => elapsed(args, cwd, env);
  for (const subject of subjects) await run(subject);
  const samples = await measureRounds(subjects, { count: commands, random }, run);
  const row = (id: string, { name }: { name: string }) =>
    compare(samples, {
      id,
      what: `\`forge list\`, ${name}`,
      of: `list, ${name}`,
      against: floor,
      unit: "ms",
      pick: (ms) => ms,
      goal: { kind: "target", atMost: 2.5 },
    });
  return { rows: [row("ticket-list-few", few), row("ticket-list", many)], samples };
}
