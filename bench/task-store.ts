import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Leases } from "../src/commons/leases/index.ts";
import { Ledger } from "../src/commons/ledger/index.ts";
import type { Actor } from "../src/kernel/calls/call.ts";
import { newRecord } from "../src/kernel/calls/new-record.ts";
import { localPrincipal } from "../src/kernel/principal.ts";
import { Redactor } from "../src/kernel/text/redactor.ts";
import { openDatabase } from "../src/platform/db/database.ts";
import { Board } from "../src/rooms/workbench/board/service/board.ts";
import { migrations } from "../test/harness/db/all-migrations.ts";
import { sealMadeStore } from "./seal-made-store.ts";

const tasksInBlock = 1_000;
const blocksAtOnce = 10;

/** A project without git, with this many imported tasks on its board. Returns the folder. */
export async function makeTasks(folder: string, count: number): Promise<string> {
  mkdirSync(folder);
  const database = openDatabase<unknown>({ file: join(folder, ".forge", "forge.db") }, migrations);
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  const board = new Board({ database, ledger, leases: new Leases(database), projectRoot: folder });
  try {
    await sealMadeStore(database, folder);
    const blocks = Array.from({ length: Math.ceil(count / tasksInBlock) }, (_, index) => block(index, count));
    for (let first = 0; first < blocks.length; first += blocksAtOnce) {
      const text = JSON.stringify(blocks.slice(first, first + blocksAtOnce));
      await board.importFile(importer(), { other: { text, name: "bench.json" } });
    }
  } finally {
    await board.stop();
    await ledger.stop();
    await database.close();
  }
  return folder;
}

function block(index: number, count: number) {
  const first = index * tasksInBlock;
  const numbers = Array.from({ length: Math.min(tasksInBlock, count - first) }, (_, offset) => first + offset);
  const name = `Block${String(index).padStart(3, "0")}`;
  return {
    name,
    block_id: name.toLowerCase(),
    description: "A part of the shop",
    inputs: [],
    outputs: [],
    connections: { input_connections: [], output_connections: [] },
    todo_list: Object.fromEntries(numbers.map((number) => [taskId(number), task(number)])),
  };
}

export function taskId(number: number): string {
  return `t${String(number).padStart(6, "0")}`;
}

/** All of the same size; every second task depends on the one before it, which is completed. */
function task(number: number) {
  const isSecond = number % 2 === 1;
  return {
    task_id: taskId(number),
    task_name: `Sign out everywhere, part ${taskId(number)}`,
    description: "Whoever signs out on one device is signed out on the others. ".repeat(4),
    acceptance_criteria: ["Every session ends", "The cookie is gone"],
    dependencies: isSecond ? [taskId(number - 1)] : [],
    estimated_effort: "M",
    files_affected: ["src/session.ts"],
    function_signatures: [],
    testing_requirements: [],
    log: "",
    commit_id: "",
    status: isSecond ? "[TODO]" : "[COMPLETED]",
  };
}

function importer(): Actor {
  const principal = localPrincipal("ada", "bench");
  const begun = { id: randomUUID(), at: Date.now(), kind: "command", name: "import", effect: "add" } as const;
  return { principal, record: newRecord(principal, begun) };
}
