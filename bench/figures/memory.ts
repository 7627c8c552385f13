import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleServer } from "../builds.ts";
import { BenchClient } from "../client.ts";
import type { Effort } from "../effort.ts";
import { residentMb } from "../process-usage.ts";
import { Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";

type Sample = { warm: number; first?: number; resident?: number; held?: number };

const dimensions = 256;
const perFile = 20_000;
const maxEncoderRounds = 7;
const maxRecallRounds = 5;
const words =
  "cache queue session index deploy timeout retry schema token worker batch replica cursor budget lease".split(" ");

/** Recall among many memories, beside a bare scan of the same bytes; what the first one costs, and memory before any. */
export async function measureMemory(workshop: Workshop, effort: Effort): Promise<{ rows: Row[]; samples: object }> {
  const rows: Row[] = [];
  const samples: Record<string, Rounds<Sample>> = {};
  for (const count of effort.memories) {
    const rounds = new Rounds<Sample>();
    const cwd = fill(workshop, count, effort.random);
    for (let round = 0; round < Math.min(effort.programs, maxRecallRounds); round++) {
      const sample = await measureRecall(workshop, cwd, effort.recalls);
      rounds.add("forge", sample);
      rounds.add("bare scan", { warm: bareScan(count, effort.recalls) });
      rounds.add("warm recall", { warm: sample.warm, first: sample.warm });
    }
    const among = `among ${count.toLocaleString("en")} memories`;
    const pick = ({ warm }: Sample) => warm;
    rows.push(
      compare(rounds, { id: `recall-${count}`, what: `recall ${among}, p95`, unit: "ms", against: "bare scan", pick }),
    );
    rows.push(
      compare(rounds, {
        ...{ id: `recall-first-${count}`, what: `first recall ${among}`, unit: "ms", against: "warm recall" },
        goal: { kind: "target", atMost: 10 },
        pick: ({ first }) => first,
      }),
    );
    samples[String(count)] = rounds;
  }
  const memory = await measureResident(workshop);
  rows.push(
    compare(memory, {
      ...{
        id: "memory-resident",
        what: "memory with the memory tools, before a recall",
        unit: "MB",
        against: "one tool",
      },
      goal: { kind: "target", atMost: 1.5 },
      pick: ({ resident }) => resident,
    }),
  );
  const encoder = await measureEncoder(workshop, effort.programs);
  const against = "no encoder";
  rows.push(
    compare(encoder, {
      ...{ id: "encoder-held", what: "heap and buffers with the encoder in use", unit: "MB", against },
      goal: { kind: "target", atMostOver: 10 },
      pick: ({ held }) => held,
    }),
  );
  rows.push(
    compare(encoder, {
      ...{ id: "encoder-resident", what: "resident memory with the encoder in use", unit: "MB", against },
      goal: { kind: "target", atMostOver: 25 },
      pick: ({ resident }) => resident,
    }),
  );
  return { rows, samples: { ...samples, memory, encoder } };
}

function fill({ folder, env, forge }: Workshop, count: number, random: () => number): string {
  const cwd = join(folder, `memories-${count}`);
  mkdirSync(cwd, { recursive: true });
  const pick = () => words[Math.floor(random() * words.length)] ?? "";
  for (let from = 0; from < count; from += perFile) {
    const memories = Array.from({ length: Math.min(perFile, count - from) }, (_, index) => ({
      text: `Note ${from + index}: the ${pick()} of the ${pick()} needs a ${pick()} before the ${pick()} in part ${Math.floor(random() * 1e6)}`,
      ...{ agent: "dev", type: "decisions" },
    }));
    const file = join(cwd, `memories-${from}.json`);
    writeFileSync(file, JSON.stringify(memories));
    execFileSync(process.execPath, [forge, "memory", "import", file], { cwd, env, stdio: "ignore" });
  }
  return cwd;
}

async function measureRecall({ env, forge }: Workshop, cwd: string, times: number): Promise<Sample> {
  const client = new BenchClient({ name: "forge", args: [forge, "mcp", "--toolsets", "memory"], cwd, env });
  try {
    await client.greet();
    // The store is open by then, as in any session that has called something.
    await client.call("get_failure_museum", {});
    const recall = async (query: string) => {
      const began = performance.now();
      await client.call("recall_structured", { query });
      return performance.now() - began;
    };
    const first = await recall("which queue needs a lease");
    const warm: number[] = [];
    for (let round = 0; round < times; round++)
      warm.push(await recall(`why does the ${words[round % words.length]} time out ${round}`));
    return { first, warm: percentile(warm) };
  } finally {
    await client.end();
  }
}

/** One byte for each number, one multiplication each. */
function bareScan(count: number, times: number): number {
  const stored = Int8Array.from({ length: count * dimensions }, (_, index) => (index * 7) % 127);
  const wanted = stored.slice(0, dimensions);
  const scores = new Float32Array(count);
  const spent: number[] = [];
  for (let round = 0; round < times; round++) {
    const began = performance.now();
    for (let place = 0; place < count; place++) {
      let sum = 0;
      for (let at = 0; at < dimensions; at++) sum += (stored[place * dimensions + at] ?? 0) * (wanted[at] ?? 0);
      scores[place] = sum;
    }
    spent.push(performance.now() - began);
  }
  return percentile(spent);
}

async function measureResident({ servers, env, forge, folder }: Workshop): Promise<Rounds<Sample>> {
  const rounds = new Rounds<Sample>();
  const cwd = join(folder, "project");
  const subjects = {
    "one tool": servers.oneTool,
    forge: { name: "forge", args: [forge, "mcp", "--profile", "memory"], cwd, env },
  };
  for (const [name, command] of Object.entries(subjects)) {
    const client = new BenchClient(command);
    await client.greet();
    await client.request("tools/list");
    const resident = residentMb(client.pid);
    rounds.add(name, { warm: 0, ...(resident !== undefined && { resident }) });
    await client.end();
  }
  return rounds;
}

async function measureEncoder({ folder, env }: Workshop, programs: number): Promise<Rounds<Sample>> {
  const rounds = new Rounds<Sample>();
  const script = await bundleServer(folder, "encoder-memory");
  const model = join(import.meta.dirname, "../../src/platform/embed/model");
  const measure = (wish: string): Sample => ({
    warm: 0,
    ...JSON.parse(execFileSync(process.execPath, ["--expose-gc", script, model, wish], { env, encoding: "utf8" })),
  });
  for (let round = 0; round < Math.min(programs, maxEncoderRounds); round++) {
    rounds.add("no encoder", measure(""));
    rounds.add("forge", measure("load"));
  }
  return rounds;
}

function percentile(spent: readonly number[]): number {
  const sorted = spent.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? sorted.at(-1) ?? 0;
}
