/**
 * What Forge's way of starting a program costs beside Node's own: `tsx bench/exec.ts [--rounds N]`. All three in the same
 * run, in an order shuffled anew each round.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { type Containment, run } from "../src/platform/exec.ts";
import { machineText } from "./report.ts";
import { measureRounds } from "./rounds.ts";
import { median, seededRandom } from "./statistics.ts";

const goalMs = 10;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "200" } } });

async function bare(): Promise<void> {
  const child = spawn("true", [], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}

async function ours(containment: Containment): Promise<void> {
  const { code, containment: used } = await run("true", [], { cwd: "/", containment });
  if (code !== 0 || used !== containment) throw new Error(`${containment}: code ${code}, containment ${used}`);
}

const subjects = [
  { name: "spawn", start: bare },
  { name: "group", start: () => ours("group") },
  { name: "namespace", start: () => ours("namespace") },
];

async function time({ start }: (typeof subjects)[number]): Promise<number> {
  const begun = performance.now();
  await start();
  return performance.now() - begun;
}

for (const subject of subjects) await time(subject);
const rounds = await measureRounds(subjects, { count: Number(values.rounds), random: seededRandom(1) }, time);

/** The middle of each round's own difference: what slowed one round slowed all of its sides. */
function overhead(name: string): number {
  const floor = rounds.samplesOf("spawn");
  return median(rounds.samplesOf(name).map((ms, round) => ms - (floor[round] ?? 0))) ?? Number.NaN;
}

console.log(`${machineText()}; \`true\`, ${values.rounds} rounds`);
console.log(`spawn: ${rounds.median("spawn", (ms) => ms)?.toFixed(2)} ms`);
for (const name of ["group", "namespace"]) {
  const ms = overhead(name);
  console.log(
    `run, ${name}: ${ms.toFixed(2)} ms over spawn; goal: at most ${goalMs}: ${ms <= goalMs ? "pass" : "miss"}`,
  );
}
