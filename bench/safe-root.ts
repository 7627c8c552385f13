/** `tsx bench/safe-root.ts`: what a verified read and a durable write cost, against the bare calls in the same run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SafeRoot } from "../src/platform/files/safe-root.ts";
import { machineText, markdownOf } from "./report.ts";
import { measureRounds } from "./rounds.ts";
import { compare } from "./row.ts";
import { median, seededRandom } from "./statistics.ts";

const files = 200;
const content = Buffer.alloc(10_000, "Forge reads and writes this line.\n");
const folder = mkdtempSync(join(tmpdir(), "forge-bench-"));
const names = Array.from({ length: files }, (_, index) => `file-${index}.txt`);
const root = SafeRoot.at(folder);

type Subject = { name: string; use(name: string): Promise<unknown> };

const reads: Subject[] = [
  { name: "forge", use: (name) => root.read(name) },
  { name: "forge, as text", use: (name) => root.readText(name) },
  { name: "fs.readFile", use: (name) => readFile(join(folder, name)) },
];
const writes: Subject[] = [
  { name: "forge", use: (name) => root.write(name, content) },
  { name: "fs.writeFile", use: (name) => writeFile(join(folder, name), content) },
];

const order = { count: 20, random: seededRandom(1) };
const pick = (ms: number) => ms;

try {
  for (const name of names) writeFileSync(join(folder, name), content);
  for (const subject of [...reads, ...writes]) await typicalMs(subject);
  const reading = await measureRounds(reads, order, typicalMs);
  const writing = await measureRounds(writes, { ...order, count: 3 }, typicalMs);
  const target = { kind: "target", atMost: 2 } as const;
  const against = "fs.readFile";
  const rows = [
    compare(reading, { id: "read", what: "Read of 10 kB, p50", unit: "ms", against, goal: target, pick }),
    compare(reading, {
      id: "text",
      what: "The same as text",
      unit: "ms",
      of: "forge, as text",
      against,
      goal: target,
      pick,
    }),
    compare(writing, { id: "write", what: "Durable write of 10 kB, p50", unit: "ms", against: "fs.writeFile", pick }),
  ];
  console.log(`${machineText()}\n\n${markdownOf(rows)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The middle of what each file took, one after the other. */
async function typicalMs({ use }: Subject): Promise<number> {
  const times: number[] = [];
  for (const name of names) {
    const started = performance.now();
    await use(name);
    times.push(performance.now() - started);
  }
  return median(times) ?? 0;
}
