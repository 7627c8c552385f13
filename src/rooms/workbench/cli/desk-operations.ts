import type { z } from "zod";
import type { Call, Progress } from "../../../kernel/call.ts";
import type { Effect } from "../../../kernel/effect.ts";
import { parse } from "../../../kernel/invoke.ts";
import type { Tool } from "../../../kernel/tool.ts";
import type { Board, BoardFiles } from "../board/service/board.ts";
import type { WorkbenchServices } from "../model/services.ts";
import type { WorkbenchDesk } from "./desk.ts";
import { meantExecution } from "./desk-executions.ts";

export type DeskServices = WorkbenchServices & { board: Board & BoardFiles };

type Deed = {
  name: string;
  effect: Effect;
  about: string[];
  deadlineMs?: number | undefined;
  report?: ((progress: Progress) => void) | undefined;
};

/** Has an operation done for the person, with its entry in the ledger. */
export type Operate = <T>(deed: Deed, run: (services: DeskServices, call: Call) => Promise<T>) => Promise<T>;

/** A person may watch for as long as they like; a call that never ends would be none. */
const watchMs = 14 * 24 * 60 * 60_000;
const followMs = 600_000;
const diffMs = 300_000;
const importMs = 300_000;
const mostDiffBytes = 64 * 1_048_576;
const mostTasks = 500;
const mostSuggested = 200;

/** Loaded when first used: completing a line needs none of it. */
const tools = () => import("./desk-tools.ts");

/** The workbench for commands. */
export function openWorkbenchDesk(services: DeskServices, operate: Operate): WorkbenchDesk {
  const { board: looked, executions: open } = services;

  /** The tool's rules and words, as a command's deed. */
  async function mirror<Input extends z.ZodObject, Output extends z.ZodType>(
    command: string,
    { input, output, effect, deadlineMs, about, run }: Tool<DeskServices, Input, Output>,
    asked: z.input<Input>,
    report?: (progress: Progress) => void,
  ): Promise<z.output<Output>> {
    const name = `forge ${command}`;
    const given = parse(input, asked, `arguments for ${name}`);
    return operate({ name, effect, about: about?.(given) ?? [], deadlineMs, report }, async (own, call) =>
      output.parse(await run(own, given, call)),
    );
  }

  return {
    blocks: async (asked) => mirror("block list", (await tools()).forgeGetBlocks, asked),
    block: async (ref) => {
      const { shownBlock } = await tools();
      return operate({ name: "forge block show", effect: "read", about: aboutBlock(ref) }, async ({ board }) => {
        const block = await board.block(ref);
        return shownBlock(block, true, await board.tasks({ block: block.id, limit: mostTasks }));
      });
    },
    createBlock: async (asked) => mirror("block create", (await tools()).forgeCreateBlock, asked),
    editBlock: async (ref, changes) => {
      const { forgeCreateBlock } = await tools();
      const said = parse(forgeCreateBlock.input.pick({ name: true, description: true }).partial(), changes, "block");
      const about = aboutBlock(ref);
      return operate({ name: "forge block edit", effect: "set", about }, async ({ board }, call) => {
        const { id, name, revision } = await board.updateBlock(call, ref, said);
        return { block_id: id, name, revision };
      });
    },
    importBlocks: (request) =>
      operate({ name: "forge block import", effect: "set", about: [], deadlineMs: importMs }, ({ board }, call) =>
        board.importFile(call, request),
      ),
    exportBlocks: () =>
      operate({ name: "forge block export", effect: "read", about: [], deadlineMs: importMs }, ({ board }) =>
        board.exportText(),
      ),
    exportOwnFile: (overwrite) =>
      operate({ name: "forge block export", effect: "act", about: [], deadlineMs: importMs }, ({ board }, call) =>
        board.exportFile(call, { overwrite }),
      ),
    tasks: async (asked) => mirror("task list", (await tools()).forgeGetTasks, asked),
    queue: async (block, limit) => {
      const { forgeGetTasks } = await tools();
      const of = { ...(block !== undefined && { block_id: block }), limit };
      const ready = await mirror("task ready", forgeGetTasks, { ...of, ready: true });
      const rest = { ...of, ready: false, status: ["pending", "in_progress", "failed"] as const };
      const waiting = await mirror("task ready", forgeGetTasks, { ...rest, status: [...rest.status] });
      return { ready, waiting };
    },
    task: async (asked) => mirror("task show", (await tools()).forgeGetTaskDetails, asked),
    createTask: async (asked) => mirror("task create", (await tools()).forgeCreateTask, asked),
    updateTask: async (asked) => mirror("task edit", (await tools()).forgeUpdateTask, asked),
    claimTask: async (asked) => mirror("task claim", (await tools()).forgeClaimTask, asked),
    releaseTask: async (asked) => mirror("task release", (await tools()).forgeClaimTask, { ...asked, release: true }),
    executions: async (asked) => mirror("run list", (await tools()).forgeListExecutions, asked),
    executionId: (typed) => meantExecution(open, typed),
    execution: async (id) => mirror("run show", (await tools()).forgeGetExecution, { execution_id: id }),
    start: async (asked, report) => mirror("run start", (await tools()).forgeExecuteTask, asked, report),
    watch: async (id, onEvent) => {
      const { shownEvent, shownExecution } = await tools();
      return operate(
        { name: "forge run watch", effect: "read", about: [], deadlineMs: watchMs },
        async ({ executions }, call) => {
          for (let after = 0; ; ) {
            const followed = await executions.follow(call, id, {
              after,
              waitMs: followMs,
              onEvent: (event, execution) => onEvent(shownEvent(event), shownExecution(execution)),
            });
            // Of a long timeline only some comes at a time.
            if (followed.execution.status !== "running" && followed.events.length === 0)
              return shownExecution(followed.execution);
            after = followed.last;
          }
        },
      );
    },
    diff: (id) =>
      operate({ name: "forge run diff", effect: "read", about: [], deadlineMs: diffMs }, ({ executions }, call) =>
        executions.diff(call, id, { maxBytes: mostDiffBytes }),
      ),
    runTests: async (asked, report) => mirror("run test", (await tools()).forgeRunTests, asked, report),
    commit: async (asked, report) => mirror("run commit", (await tools()).forgeCommitChanges, asked, report),
    cancel: async (asked) => mirror("run cancel", (await tools()).forgeCancelExecution, asked),
    suggest: {
      blocks: async () => (await looked.blocks({ limit: mostSuggested })).blocks,
      tasks: async (block) => (await looked.tasks({ block, limit: mostSuggested, includeDependencies: false })).tasks,
      executions: async () =>
        (await open.list({ limit: mostSuggested })).executions.map(({ id, blockId, taskId, status }) => ({
          id,
          task: `${blockId}/${taskId}`,
          status,
        })),
    },
  };
}

function aboutBlock(ref: string): string[] {
  return [`block:${ref.slice(0, 100)}`];
}
