import type { Call } from "../../../../kernel/calls/call.ts";
import type { Lazy } from "../../../../kernel/definitions/room.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Board } from "../../board/service/board.ts";
import { hasOwnTask, putTicketTask, requireTicketBlock } from "../../board/service/put-ticket-task.ts";
import type { WorkGuard } from "../../guard/work-guard.ts";
import type { Advice } from "../../model/advice.ts";
import type { CommitOutcome, Execution, ExecutionRecord } from "../../model/execution-model.ts";
import { type TicketItems, type TicketWorkRecord, ticketBlock } from "../../model/ticket-items.ts";

const maxFiles = 200;

/** Keeps tickets and executions together: a ticket is executed as a task, and learns what became of it. */
export class TicketWork {
  readonly #board: Board;
  readonly #guard: Pick<WorkGuard, "noteTicketText" | "hasForeignText">;
  readonly #load: Lazy<TicketItems | undefined>;

  constructor(
    board: Board,
    guard: Pick<WorkGuard, "noteTicketText" | "hasForeignText">,
    load: Lazy<TicketItems | undefined>,
  ) {
    this.#board = board;
    this.#guard = guard;
    this.#load = load;
  }

  /** The task to execute. In the tickets' block it is made of the ticket. */
  async resolveTask(call: Call, block: string, task: string): Promise<{ block: string; task: string }> {
    if (block !== ticketBlock) return { block, task };
    const tickets = await this.#load();
    if (!tickets || (await hasOwnTask(this.#board, task))) return { block, task };
    await requireTicketBlock(this.#board);
    const item = await tickets.prepare(call, task);
    await this.#guard.noteTicketText(call, item);
    const { id } = await putTicketTask(this.#board, call, item);
    return { block, task: id };
  }

  recordStart(call: Call, { id, blockId, taskId, branch, baseBranch, baseCommit }: Execution): Promise<Advice> {
    const place = { ...(branch !== undefined && { branch }), ...(baseBranch !== undefined && { baseBranch }) };
    return this.#record(call, { blockId, taskId }, { execution: id, status: "started", base: baseCommit, ...place });
  }

  async recordFinish(call: Call, outcome: CommitOutcome): Promise<Advice> {
    const { execution, branchMerged, commit, actions, tests, taskStatus } = outcome;
    // It ended without a result; what was committed stays on its branch.
    if (taskStatus === "failed") return this.recordCancel(call, execution);
    if (taskStatus !== "completed") return { warnings: [], next: [] };
    const files = actions.flatMap((action) => ("path" in action ? [action.path] : []));
    return this.#record(call, execution, {
      execution: execution.id,
      status: branchMerged ? "merged" : "committed",
      ...(commit !== undefined && { commit }),
      ...(branchMerged && execution.baseBranch !== undefined && { into: execution.baseBranch }),
      files: [...new Set(files)].slice(0, maxFiles),
      ...(tests && { tests: { run: tests.id, status: tests.status, passed: tests.passed, failed: tests.failed } }),
    });
  }

  recordCancel(call: Call, execution: Execution): Promise<Advice> {
    return this.#record(call, execution, { execution: execution.id, status: "cancelled" });
  }

  /** The work itself is done; a ticket that cannot be told now does not undo it. */
  async #record(
    call: Call,
    { blockId, taskId }: Pick<Execution, "blockId" | "taskId">,
    work: TicketWorkRecord,
  ): Promise<Advice> {
    const { ticketId } = await this.#board.task(blockId, taskId);
    const tickets = ticketId === undefined ? undefined : await this.#load();
    if (ticketId === undefined || !tickets) return { warnings: [], next: [] };
    // A ticket is the user's own text, and stays so: no ids that others may have chosen.
    const isNamed = blockId !== ticketBlock && !(await this.#guard.hasForeignText({ blockId, id: taskId }));
    const task = isNamed ? { task: `${blockId}/${taskId}` } : {};
    try {
      return { warnings: [], next: await tickets.record(call, ticketId, { ...work, ...task }) };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      return { warnings: [`The work was not recorded on ${ticketId}: ${error.message}`], next: [] };
    }
  }
}

/** An execution that has ended, as its ticket records it. One that failed has changed nothing on its base. */
export function toEndedWork(record: ExecutionRecord): TicketWorkRecord {
  const { id, status, branch, baseBranch, commit, options, files, tests } = record;
  if (status !== "completed") return { execution: id, status: "cancelled" };
  const isMerged = branch !== undefined && options.finish === "merge";
  const last = tests.at(-1);
  return {
    execution: id,
    status: isMerged ? "merged" : "committed",
    ...(commit !== undefined && { commit }),
    ...(isMerged && baseBranch !== undefined && { into: baseBranch }),
    files: files.map(({ path }) => path).slice(0, maxFiles),
    ...(last && { tests: { run: last.id, status: last.status, passed: last.passed, failed: last.failed } }),
  };
}
