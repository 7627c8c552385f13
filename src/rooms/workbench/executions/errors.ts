import type { Action } from "../../../kernel/action.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { anyOf } from "../../../kernel/text/closest.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { Execution } from "../model/execution-model.ts";
import { joinNames } from "./join-names.ts";

const listExecutions: Action = { tool: "forge_list_executions", why: "to see all executions" };
const startTask: Action = {
  tool: "forge_execute_task",
  input: { block_id: "BLOCK", task_id: "TASK" },
  why: "to start work on a task",
};
const maxIdLength = 100;

const formatTask = ({ blockId, taskId }: Pick<Execution, "blockId" | "taskId">) => `${blockId}/${taskId}`;

export function unknownExecution(id: string, nearest: readonly string[] = []): ForgeError {
  const shown = visible(id.slice(0, maxIdLength));
  return new ForgeError("NOT_FOUND", `Execution ${shown} not found.`, {
    details: { execution_id: shown },
    next: [...(nearest.length > 0 ? [`Did you mean ${anyOf(nearest)}?`] : []), listExecutions],
  });
}

export function unknownTestRun(id: string): ForgeError {
  const shown = visible(id.slice(0, maxIdLength));
  return new ForgeError("NOT_FOUND", `Test run ${shown} not found. Only the latest runs are kept.`, {
    details: { run_id: shown },
    next: [{ tool: "forge_run_tests", why: "to run the tests again" }],
  });
}

type HeldExecution = { execution: Execution; holder: string; until: string };

/** `held`: open executions of the same assistant that another connection works in. */
export function noOpenExecution(held: readonly HeldExecution[] = []): ForgeError {
  const others = held.map(
    ({ execution, holder, until }) =>
      `${execution.id} (${formatTask(execution)}) is held by ${visible(holder)} until ${until}`,
  );
  return new ForgeError(
    "CONFLICT_ERROR",
    held.length === 0
      ? "You have no open execution."
      : `This connection has no open execution: ${joinNames(others, 3)}.`,
    {
      ...(held.length > 0 && {
        details: { held: held.map(({ execution, holder, until }) => ({ execution_id: execution.id, holder, until })) },
      }),
      next: [
        ...(held.length > 0 ? ["If the other connection has ended, its claim expires by then."] : []),
        startTask,
        listExecutions,
      ],
    },
  );
}

export function ambiguousExecution(open: readonly Execution[], total = open.length): ForgeError {
  const named = open.map((execution) => `${execution.id} (${visible(formatTask(execution))})`);
  const more = total > named.length ? ` and ${total - named.length} more` : "";
  return new ForgeError("CONFLICT_ERROR", `${total} executions are open. Which one do you mean?`, {
    details: {
      executions: open.map((execution) => ({ id: execution.id, task: formatTask(execution), root: execution.root })),
    },
    next: [`Give the id of one: ${named.join(", ")}${more}.`],
  });
}

export function ambiguousPrefix(typed: string, ids: readonly string[]): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Several executions begin with "${visible(typed)}".`, {
    next: [`Type more of the id: ${anyOf(ids)}.`],
  });
}

export function endedExecution(execution: Execution): ForgeError {
  const { id, status, blockId, taskId } = execution;
  return new ForgeError("CONFLICT_ERROR", `Execution ${id} has ended: it is ${status}.`, {
    details: { execution_id: id, status },
    next: [
      {
        tool: "forge_execute_task",
        input: { block_id: blockId, task_id: taskId },
        why: "to work on the task again",
      },
    ],
  });
}

export function executionBusy({ id, stage }: Execution): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Another call is changing execution ${id} (${stage}).`, {
    details: { execution_id: id, stage },
    next: ["Try again in a moment."],
  });
}

function showRecord(id: string, why: string): Action {
  return { tool: "forge_get_execution", input: { execution_id: id }, why };
}

export function nothingCommitted({ id, status }: Execution): ForgeError {
  return new ForgeError("NOT_FOUND", `Nothing was committed in ${id} (${status}), so git has no diff.`, {
    details: { execution_id: id, status },
    next: [showRecord(id, "to see which files it changed and what was kept")],
  });
}

export function missingCommit({ id, branch }: Execution, commit: string): ForgeError {
  const where = branch === undefined ? "no branch contains it" : `its branch ${branch} was deleted`;
  return new ForgeError(
    "NOT_FOUND",
    `git no longer has commit ${commit.slice(0, 12)} of ${id}: ${where}, and git has cleaned up since.`,
    {
      details: { execution_id: id, commit, ...(branch !== undefined && { branch }) },
      next: [
        showRecord(id, "to see which files it changed"),
        "If a clone still has the commit, fetch it from there and try again.",
      ],
    },
  );
}
