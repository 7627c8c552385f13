import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Containment, run } from "../../src/platform/exec/run.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";

type Subject = { name: string; start(): Promise<void> };

/** Starting a program through Forge compared with Node's spawn. */
export async function measureExec(effort: Effort): Promise<{ rows: Row[]; samples: Rounds<number> }> {
  const ours = ["group", ...((await hasNamespaces()) ? ["namespace" as const] : [])] satisfies Containment[];
  const subjects: Subject[] = [
    { name: "spawn", start: bare },
    ...ours.map((containment) => ({ name: containment, start: () => contained(containment) })),
  ];
  for (const subject of subjects) await time(subject);
  const samples = await measureRounds(subjects, { count: effort.programs, random: effort.random }, time);
  const rows = (["group", "namespace"] as const).map((containment) =>
    compare(samples, {
      id: `exec-${containment}`,
      what: `Running \`true\`, contained by ${containment}`,
      of: containment,
      against: "spawn",
      unit: "ms",
      pick: (ms) => ms,
      goal: { kind: "target", atMostOver: 10 },
    }),
  );
  return { rows, samples };
}

async function hasNamespaces(): Promise<boolean> {
  const { containment } = await run("true", [], { cwd: "/", containment: "namespace" });
  return containment === "namespace";
}

async function bare(): Promise<void> {
  const child = spawn("true", [], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}

async function contained(containment: Containment): Promise<void> {
  const { code, containment: used } = await run("true", [], { cwd: "/", containment });
  if (code !== 0 || used !== containment) throw new Error(`${containment}: code ${code}, containment ${used}`);
}

async function time({ start }: Subject): Promise<number> {
  const begun = performance.now();
  await start();
  return performance.now() - begun;
}
