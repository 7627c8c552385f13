/**
 * What a person or a shell waits for when it runs a small command: `npx tsx bench/cli.ts [--quick]`. Each is compared with a
 * Node that does nothing, in the same round. The process's end counts, not its first word.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildForge } from "./builds.ts";
import { machineText, markdownOf } from "./report.ts";
import { measureRounds } from "./rounds.ts";
import { compare, type Goal } from "./row.ts";
import { seededRandom } from "./statistics.ts";

type Subject = { name: string; args: string[] };

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const rounds = values.quick ? 2 : 31;
const target: Goal = { kind: "target", atMost: 1.5 };
const floor = "node -e 0";

const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-bench-cli-")));
try {
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: join(folder, "home") };
  mkdirSync(env.HOME);
  const forge = buildForge(join(folder, "forge"), { withEcho: false });
  const lines: [line: string, goal?: Goal][] = [
    ["--help", target],
    ["version", target],
    ["call --help"],
    ["__complete -- toolse", target],
    ["__complete -- call get_repository_context pa"],
    ["toolsets"],
  ];
  const subjects: Subject[] = [
    { name: floor, args: ["-e", "0"] },
    ...lines.map(([line]) => ({ name: line, args: [forge, ...line.split(" ")] })),
  ];
  const run = ({ args }: Subject) => elapsed(args, env);
  // Files into memory, and the code cache as the second start finds it.
  for (const subject of subjects) await run(subject);
  const samples = await measureRounds(subjects, { count: rounds, random: seededRandom(1) }, run);
  const rows = lines.map(([line, goal]) =>
    compare(samples, {
      id: line,
      what: `\`forge ${line}\``,
      of: line,
      against: floor,
      unit: "ms",
      pick: (ms: number) => ms,
      ...(goal && { goal }),
    }),
  );
  console.log(`${machineText()}\n\n${markdownOf(rows)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function elapsed(args: string[], env: Record<string, string>): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: "ignore" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")} exited with ${code}`);
  return performance.now() - begin;
}
