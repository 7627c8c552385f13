import { setTimeout as settle } from "node:timers/promises";
import { BenchClient, type ServerCommand } from "../client.ts";
import type { Effort } from "../effort.ts";
import { cpuMs, residentMb } from "../process-usage.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";

export type StartSample = {
  initializeMs: number;
  initializeCpuMs: number | undefined;
  listsMs: number;
  listsMb: number | undefined;
  calledMb: number | undefined;
};

type Subject = ServerCommand & { firstCall: [tool: string, given: Record<string, unknown>] };

/** After the first call, until background work has finished. */
const settleMs = 300;

/** From spawn to the first answers, and the memory used then. */
export async function measureStart(
  { servers }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<StartSample> }> {
  const echo: Subject["firstCall"] = ["echo", { text: "hello" }];
  const context: Subject["firstCall"] = ["get_repository_context", {}];
  const subjects: Subject[] = [
    { ...servers.raw, firstCall: echo },
    { ...servers.oneTool, firstCall: echo },
    { ...servers.forge, firstCall: context },
    { ...servers.uncachedForge, firstCall: context },
    { ...servers.forgeWith60Tools, firstCall: context },
  ];
  // Warms the file system and code caches.
  for (const subject of subjects) await startOnce(subject);
  const samples = await measureRounds(subjects, { count: effort.starts, random: effort.random }, startOnce);
  return { rows: rowsOf(samples), samples };
}

async function startOnce(subject: Subject): Promise<StartSample> {
  const client = new BenchClient(subject);
  try {
    await client.greet();
    const initializeMs = performance.now() - client.startedAt;
    const initializeCpuMs = cpuMs(client.pid);
    await client.request("tools/list");
    const listsMs = performance.now() - client.startedAt;
    const listsMb = residentMb(client.pid);
    await client.call(...subject.firstCall);
    await settle(settleMs);
    return { initializeMs, initializeCpuMs, listsMs, listsMb, calledMb: residentMb(client.pid) };
  } finally {
    await client.end();
  }
}

function rowsOf(samples: Rounds<StartSample>): Row[] {
  const started = { unit: "ms", pick: (sample: StartSample) => sample.initializeMs } as const;
  const oneTool = { against: "one-tool" } as const;
  return [
    compare(samples, {
      id: "start",
      what: "Spawn to `initialize` answered",
      ...oneTool,
      ...started,
      goal: { kind: "target", atMost: 1 },
    }),
    compare(samples, {
      id: "start-against-raw",
      what: "Spawn to `initialize` answered",
      against: "raw",
      ...started,
      goal: { kind: "aim", atMost: 1.5 },
    }),
    compare(samples, {
      id: "start-without-cache",
      what: "The same, first start ever (no code cache)",
      of: "forge, no cache",
      ...oneTool,
      ...started,
    }),
    compare(samples, {
      id: "start-with-60-tools",
      what: "The same with 60 tools",
      of: "forge, 60 tools",
      ...oneTool,
      ...started,
      goal: { kind: "target", atMost: 1 },
    }),
    compare(samples, {
      id: "start-cpu",
      what: "CPU time until then",
      ...oneTool,
      unit: "ms",
      pick: (sample) => sample.initializeCpuMs,
    }),
    compare(samples, {
      id: "start-cpu-against-raw",
      what: "CPU time until then",
      against: "raw",
      unit: "ms",
      pick: (sample) => sample.initializeCpuMs,
    }),
    compare(samples, {
      id: "lists",
      what: "Spawn to `tools/list` answered",
      ...oneTool,
      unit: "ms",
      pick: (sample) => sample.listsMs,
    }),
    compare(samples, {
      id: "memory-after-lists",
      what: "Memory after the lists",
      ...oneTool,
      unit: "MB",
      pick: (sample) => sample.listsMb,
      goal: { kind: "target", atMost: 1.2 },
    }),
    compare(samples, {
      id: "memory-after-call",
      what: "Memory after the first call, everything loaded",
      ...oneTool,
      unit: "MB",
      pick: (sample) => sample.calledMb,
      goal: { kind: "target", atMost: 1.2 },
    }),
  ];
}
