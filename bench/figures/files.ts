import { mkdirSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SafeRoot } from "../../src/platform/files/root/safe-root.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Goal, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workshop } from "../workshop.ts";

const content = Buffer.alloc(10_000, "Forge reads and writes this line.\n");
const target: Goal = { kind: "target", atMost: 2 };

type Subject = { name: string; use(file: string): Promise<unknown> };

/** What a verified read and a durable write cost, against the bare calls. */
export async function measureFiles(
  workshop: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: { reading: Rounds<number>; writing: Rounds<number> } }> {
  const folder = join(workshop.folder, "files");
  mkdirSync(folder);
  const files = Array.from({ length: effort.files }, (_, index) => `file-${index}.txt`);
  for (const file of files) writeFileSync(join(folder, file), content);
  const root = SafeRoot.at(folder);
  const reads: Subject[] = [
    { name: "forge", use: (file) => root.read(file) },
    { name: "forge, as text", use: (file) => root.readText(file) },
    { name: "fs.readFile", use: (file) => readFile(join(folder, file)) },
  ];
  const writes: Subject[] = [
    { name: "forge", use: (file) => root.write(file, content) },
    { name: "fs.writeFile", use: (file) => writeFile(join(folder, file), content) },
  ];
  const typical = ({ use }: Subject) => typicalMs(files, use);
  for (const subject of [...reads, ...writes]) await typical(subject);
  const { random } = effort;
  const reading = await measureRounds(reads, { count: effort.fileRounds, random }, typical);
  const writing = await measureRounds(writes, { count: Math.min(effort.fileRounds, 3), random }, typical);
  const read = { unit: "ms", against: "fs.readFile", goal: target, pick: (ms: number) => ms } as const;
  const rows = [
    compare(reading, { id: "file-read", what: "Read of 10 kB, p50", ...read }),
    compare(reading, { id: "file-read-text", what: "The same as text", of: "forge, as text", ...read }),
    compare(writing, {
      id: "file-write",
      what: "Durable write of 10 kB, p50",
      unit: "ms",
      against: "fs.writeFile",
      pick: (ms) => ms,
    }),
  ];
  return { rows, samples: { reading, writing } };
}

/** The median time per file, one after another. */
async function typicalMs(files: string[], use: Subject["use"]): Promise<number> {
  const times: number[] = [];
  for (const file of files) {
    const started = performance.now();
    await use(file);
    times.push(performance.now() - started);
  }
  return median(times) ?? 0;
}
