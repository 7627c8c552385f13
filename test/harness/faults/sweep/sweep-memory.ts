import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadMigrations } from "../../../../src/app/migrations.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import { Reembedder } from "../../../../src/rooms/memory/embedders/reembedder.ts";
import { Memories, type NewMemory } from "../../../../src/rooms/memory/recall/memories.ts";
import { MemoryStore } from "../../../../src/rooms/memory/store/memory-store.ts";
import { by } from "../../commons/caller.ts";
import { integrityFaults } from "../integrity-faults.ts";
import type { Ending, SweepRow } from "./sweep-rows.ts";

const fileOf = (folder: string) => join(folder, "root", ".forge", "forge.db");

/** What is stored is at stake here, not what it means. */
const embedder = {
  name: "letters",
  embed: async (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length % 7, 1, 2)),
};

const memory = (text: string): NewMemory => ({ type: "decisions", agent: "dev", text, origin: "user" });
const added = ["Queues are drained first.", "Sessions are stored in Redis."];

async function withMemories<T>(folder: string, work: (memories: Memories) => Promise<T>): Promise<T> {
  const database = openDatabase({ file: fileOf(folder) }, await loadMigrations());
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  const store = new MemoryStore(database, "sweep");
  const warn = () => undefined;
  const reembedder = new Reembedder({ store, embedder, shared: undefined, warn });
  const memories = new Memories({
    ...{ store, ledger, embedder, reembedder, shared: undefined, appId: "sweep", warn },
    redactor: new Redactor(),
    mark: () => undefined,
  });
  try {
    return await work(memories);
  } finally {
    await memories.stop();
    await ledger.stop();
    await database.close();
  }
}

const rememberBoth = (folder: string) =>
  withMemories(folder, async (memories) => void (await memories.rememberAll(by(), added.map(memory))));

/** Whichever call failed: both memories are there or none, as reported, each once, and recall finds exactly those. */
export const remember: SweepRow = {
  name: "remember",
  async prepare(folder) {
    for (const name of ["root", "warm/root"]) mkdirSync(join(folder, name), { recursive: true });
    await withMemories(folder, async (memories) => void (await memories.remember(by(), memory("Old one."))));
  },
  warmUp: (folder) => withMemories(join(folder, "warm"), async (memories) => void (await memories.list({ limit: 1 }))),
  run: rememberBoth,
  async faults(folder, ending) {
    const faults = await withMemories(folder, (memories) => memoryFaults(memories, ending));
    return [...faults, ...integrityFaults(fileOf(folder))];
  },
  repeat: rememberBoth,
};

async function memoryFaults(memories: Memories, ending: Ending): Promise<string[]> {
  const stored = (await memories.list({ limit: 50 })).memories.map(({ text }) => text).sort();
  const isNew = stored.length > 1;
  const expected = isNew ? ["Old one.", ...added] : ["Old one."];
  const found = (await memories.recall({ query: "queues sessions", limit: 50 })).results.map(
    ({ memory }) => memory.text,
  );
  const faults: string[] = [];
  if (stored.join("|") !== expected.join("|")) faults.push(`stored is ${stored.join(", ")}`);
  if (ending.outcome === "done" && !isNew) faults.push("done was said, and nothing was stored");
  if (ending.outcome === "refused" && isNew && !ending.made)
    faults.push("refused was said, and the memories are there");
  if (added.some((text) => found.includes(text) !== isNew)) faults.push("recall does not find what is stored");
  return faults;
}
