import { BenchClient, type ServerCommand } from "../client.ts";
import type { Effort } from "../effort.ts";
import { cpuMs, residentMb } from "../process-usage.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workshop } from "../workshop.ts";

export type CallsSample = {
  /** From the spawn, so that it includes what loads on the first call. */
  firstAnswerMs: number;
  oneByOneMs: number | undefined;
  oneByOneCpuMs: number | undefined;
  pipelinedPerSecond: number;
  loadedMb: number | undefined;
};

const inFlight = 64;

/** The same cheap tool on each server: what is left is what the server adds to every call. */
export async function measureCalls(
  { servers }: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<CallsSample> }> {
  const subjects = [servers.raw, servers.oneTool, servers.forgeWithEcho];
  const measure = (server: ServerCommand) => callMany(server, effort);
  await callMany(servers.forgeWithEcho, { ...effort, warmUpCalls: 1, calls: 1, pipelinedCalls: 1 });
  const samples = await measureRounds(subjects, { count: effort.callRounds, random: effort.random }, measure);
  return { rows: rowsOf(samples), samples };
}

async function callMany(
  server: ServerCommand,
  effort: Pick<Effort, "warmUpCalls" | "calls" | "pipelinedCalls">,
): Promise<CallsSample> {
  const client = new BenchClient(server);
  try {
    await client.greet();
    await client.request("tools/list");
    await echo(client, 0);
    const firstAnswerMs = performance.now() - client.startedAt;
    for (let index = 0; index < effort.warmUpCalls; index++) await echo(client, index);
    const oneByOne = await callOneByOne(client, effort.calls);
    const pipelinedPerSecond = await callPipelined(client, effort.pipelinedCalls);
    return { firstAnswerMs, ...oneByOne, pipelinedPerSecond, loadedMb: residentMb(client.pid) };
  } finally {
    await client.end();
  }
}

async function callOneByOne(
  client: BenchClient,
  calls: number,
): Promise<Pick<CallsSample, "oneByOneMs" | "oneByOneCpuMs">> {
  const times: number[] = [];
  const before = cpuMs(client.pid);
  for (let index = 0; index < calls; index++) {
    const begun = performance.now();
    await echo(client, index);
    times.push(performance.now() - begun);
  }
  const after = cpuMs(client.pid);
  const known = before !== undefined && after !== undefined;
  return { oneByOneMs: median(times), oneByOneCpuMs: known ? (after - before) / calls : undefined };
}

/** A window of calls kept full. */
async function callPipelined(client: BenchClient, calls: number): Promise<number> {
  let begun = 0;
  const lane = async () => {
    while (begun < calls) await echo(client, begun++);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  return calls / ((performance.now() - start) / 1000);
}

function echo(client: BenchClient, index: number): Promise<unknown> {
  return client.call("echo", { text: `hello ${index}` });
}

function rowsOf(samples: Rounds<CallsSample>): Row[] {
  const sides = { of: "forge with echo", against: "one-tool" } as const;
  return [
    compare(samples, {
      id: "call",
      what: "Cheap call, one by one, p50",
      ...sides,
      unit: "ms",
      pick: (sample) => sample.oneByOneMs,
      goal: { kind: "target", atMost: 1.5 },
    }),
    compare(samples, {
      id: "call-against-raw",
      what: "Cheap call, one by one, p50",
      of: sides.of,
      against: "raw",
      unit: "ms",
      pick: (sample) => sample.oneByOneMs,
    }),
    compare(samples, {
      id: "call-cpu",
      what: "CPU time of a cheap call",
      ...sides,
      unit: "ms",
      pick: (sample) => sample.oneByOneCpuMs,
    }),
    compare(samples, {
      id: "calls-pipelined",
      what: `Cheap calls, ${inFlight} in flight`,
      ...sides,
      unit: "calls/s",
      pick: (sample) => sample.pipelinedPerSecond,
    }),
    compare(samples, {
      id: "first-answer",
      what: "Spawn to the first call answered",
      ...sides,
      unit: "ms",
      pick: (sample) => sample.firstAnswerMs,
    }),
    compare(samples, {
      id: "memory-after-load",
      what: "Memory after all these calls",
      ...sides,
      unit: "MB",
      pick: (sample) => sample.loadedMb,
    }),
  ];
}
