import { randomUUID } from "node:crypto";
import { Guard, Seal } from "../../../../src/commons/guard/index.ts";
import { type Caller, invoke, type Runtime } from "../../../../src/kernel/calls/invoke.ts";
import type { Tool } from "../../../../src/kernel/definitions/tool.ts";
import type { Principal } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { Git } from "../../../../src/platform/git/git.ts";
import { WorkGuard } from "../../../../src/rooms/workbench/guard/work-guard.ts";
import type { WorkbenchServices } from "../../../../src/rooms/workbench/model/services.ts";
import { assistant, openBoard, projectFolder } from "./workbench-board.ts";

type RoomServices = Pick<WorkbenchServices, "board" | "guard" | "git" | "projectRoot"> & {
  executions: Pick<WorkbenchServices["executions"], "listOpened">;
};

/** The board's tools on a real store, called as hosts call them. */
export function openBoardRoom(blocksFile?: string) {
  const { folder, put } = projectFolder(blocksFile);
  const { board, ledger, database } = openBoard({ file: `${folder}/.forge/forge.db` }, { folder });
  const { PATH = "" } = process.env;
  const redactor = new Redactor();
  const seal = new Seal(`${folder}/approvals.key`);
  const guard = new WorkGuard({
    guard: new Guard({ database: database.forTables(), redactor, seal }),
    redactor,
    links: async () => [],
    task: (block, task) => board.task(block, task),
    isActiveTicket: async () => false,
    isAdoptedTicket: async () => false,
  });
  const runtime: Runtime<RoomServices> = {
    services: {
      board,
      guard,
      executions: { listOpened: async () => [] },
      git: new Git({ environment: { PATH, HOME: folder } }),
      projectRoot: folder,
    },
    recorder: ledger,
    noteUntrusted: async () => undefined,
    redactor,
    newId: randomUUID,
    now: () => Date.now(),
    log: () => undefined,
  };
  /** The answer, or the error's body. */
  async function call(
    tool: Tool<RoomServices>,
    args: Record<string, unknown> = {},
    principal: Principal = assistant("1"),
  ): Promise<Record<string, unknown>> {
    const caller: Caller = {
      principal,
      signal: new AbortController().signal,
      report: () => undefined,
      log: () => undefined,
      canAsk: () => false,
      ask: async () => ({}),
    };
    const outcome = await invoke(runtime, "workbench", tool, args, caller);
    if (outcome.kind === "asked") throw new Error("a question was not expected");
    return outcome.kind === "error" ? { ...outcome.body } : (outcome.value.structured as Record<string, unknown>);
  }
  /** Of a call that went well: those that failed are written down later. */
  const lastEntry = async () => (await ledger.latest()).filter(({ outcome }) => outcome === "ok").at(-1);
  return { board, database, put, folder, call, lastEntry };
}
