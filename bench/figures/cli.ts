import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Goal, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";

type Subject = { name: string; args: string[] };

const target: Goal = { kind: "target", atMost: 1.5 };
const floor = "node -e 0";

const lines: [id: string, line: string, goal?: Goal][] = [
  ["cli-help", "--help", target],
  ["cli-version", "version", target],
  ["cli-call-help", "call --help"],
  ["cli-complete", "__complete -- toolse", target],
  ["cli-complete-argument", "__complete -- call get_repository_context pa"],
  ["cli-toolsets", "toolsets"],
];

/**
 * The time to run a small command, compared with a Node that does nothing. Measured until the process ends,
 * not until its first output.
 */
export async function measureCli(
  { forge, folder, env }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number> }> {
  const subjects: Subject[] = [
    { name: floor, args: ["-e", "0"] },
    ...lines.map(([, line]) => ({ name: line, args: [forge, ...line.split(" ")] })),
  ];
  const run = ({ args }: Subject) => elapsed(args, folder, env);
  // Warms the file system and code caches.
  for (const subject of subjects) await run(subject);
  const samples = await measureRounds(subjects, { count: effort.commands, random: effort.random }, run);
  const rows = lines.map(([id, line, goal]) =>
    compare(samples, {
      id,
      what: `\`forge ${line}\``,
      of: line,
      against: floor,
      unit: "ms",
      pick: (ms) => ms,
      ...(goal && { goal }),
    }),
  );
  return { rows, samples };
}

export async function elapsed(args: string[], cwd: string, env: Record<string, string>): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: "ignore" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")} exited with ${code}`);
  return performance.now() - begin;
}
