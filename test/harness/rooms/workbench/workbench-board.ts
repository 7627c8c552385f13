import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Leases } from "../../../../src/commons/leases/index.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { localPrincipal } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { type Database, openDatabase } from "../../../../src/platform/db/database.ts";
import type { Place } from "../../../../src/platform/db/types.ts";
import { Board } from "../../../../src/rooms/workbench/board/service/board.ts";
import type { WorkbenchTables } from "../../../../src/rooms/workbench/store/schema.ts";
import { bundleProgram } from "../../cli/bundle-program.ts";
import { migrations } from "../../db/all-migrations.ts";
import type { BoardJob } from "./workbench-board-worker.ts";

const worker = await bundleProgram(new URL("./workbench-board-worker.ts", import.meta.url));

export { by } from "../../commons/caller.ts";

/** A person's own command, on a terminal. */
export const person = { ...localPrincipal("ada"), atKeyboard: true as const };
export const assistant = (connection: string) => localPrincipal("ada", "assistant", connection);

export type OpenBoard = { board: Board; ledger: Ledger; database: Database<WorkbenchTables> };

/** A board in its own store, with a ledger; closed after the test. */
export function openBoard(place: Place, { folder, now }: { folder?: string; now?: () => number } = {}): OpenBoard {
  const database = openDatabase<unknown>(place, migrations);
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined, timing: { poll: 20 } });
  const board = new Board({
    database,
    ledger,
    leases: new Leases(database),
    ...(folder !== undefined && { projectRoot: folder }),
    ...(now && { now }),
  });
  onTestFinished(async () => {
    await board.stop();
    await ledger.stop();
    await database.close();
  });
  return { board, ledger, database: database.forTables<WorkbenchTables>() };
}

/** A project's folder; gone when the test is over. */
export function projectFolder(blocksFile?: string) {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-board-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "blocks_config.json");
  const put = (text: string | Uint8Array) => writeFileSync(path, text);
  if (blocksFile !== undefined) put(blocksFile);
  return {
    folder,
    put,
    text: () => readFileSync(path, "utf8"),
    /** As if the file had been written long ago. */
    settle: () => utimesSync(path, 1_700_000_000, 1_700_000_000),
  };
}

export type TaskInFile = Record<string, unknown>;

/** A task as the original writes it. */
export function taskInFile(id: string, said: TaskInFile = {}): TaskInFile {
  return {
    task_id: id,
    task_name: `Task ${id}`,
    description: "",
    acceptance_criteria: [],
    dependencies: [],
    estimated_effort: "M",
    files_affected: [],
    function_signatures: [],
    testing_requirements: [],
    log: "",
    commit_id: "",
    status: "[TODO]",
    ...said,
  };
}

export function blockInFile(name: string, id: string, tasks: TaskInFile[], said: TaskInFile = {}): TaskInFile {
  return {
    name,
    block_id: id,
    description: `About ${name}`,
    inputs: [],
    outputs: [],
    connections: { input_connections: [], output_connections: [] },
    todo_list: Object.fromEntries(tasks.map((task) => [task["task_id"], task])),
    ...said,
  };
}

export const fileOf = (...blocks: TaskInFile[]) => JSON.stringify(blocks, null, 2);

/** A separate process with the board open. */
export async function startBoardProcess(place: Place, folder?: string) {
  const child = fork(worker, { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  const tell = async (job: BoardJob): Promise<unknown> => {
    const answered = once(child, "message");
    child.send(job);
    const [{ answer, error }] = await answered;
    if (error) throw new Error(error);
    return answer;
  };
  await tell({ job: "open", place, folder });
  return { tell };
}
