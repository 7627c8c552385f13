import { inMinutes } from "../../../../commons/claims/index.ts";
import type { CurrentLease } from "../../../../commons/leases/index.ts";
import { didYouMean } from "../../../../kernel/closest.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { visible } from "../../../../kernel/visible.ts";
import { limits } from "../../model/limits.ts";
import type { TaskStatus } from "../../model/task-model.ts";

const shorten = (text: string) => visible(text.slice(0, limits.id));

export function unknownBlock(ref: string, known: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `There is no block "${shorten(ref)}".`, {
    details: { block_id: shorten(ref) },
    next: [...didYouMean(ref, known), "See the blocks there are: forge_get_blocks."],
  });
}

export function unknownTask(
  block: { id: string },
  id: string,
  known: readonly string[],
  elsewhere?: string,
): ForgeError {
  return new ForgeError("NOT_FOUND", `Block ${shorten(block.id)} has no task "${shorten(id)}".`, {
    details: { block_id: block.id, task_id: shorten(id) },
    next: [
      ...(elsewhere === undefined ? [] : [`Block ${shorten(elsewhere)} has a task of that id.`]),
      ...didYouMean(id, known),
      `See the tasks it has: forge_get_tasks with block_id "${shorten(block.id)}".`,
    ],
  });
}

export function duplicateBlock(what: "id" | "name", value: string, by: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `The ${what} "${shorten(value)}" is taken by block ${shorten(by)}. Nothing was changed.`,
    {
      details: { [what]: shorten(value), block_id: by },
      next: ["Choose another one, or add your tasks to the block there is: forge_create_task."],
    },
  );
}

export function duplicateTask(block: string, id: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Block ${shorten(block)} has a task "${shorten(id)}" already. Nothing was added.`,
    {
      details: { block_id: block, task_id: shorten(id) },
      next: ["Leave the id out to get a new one, or change the task there is: forge_update_task."],
    },
  );
}

export function documentTooLarge(what: string, size: number): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `${what} would be ${size} characters as JSON; ${limits.document} are the most. Nothing was written.`,
    {
      details: { size, limit: limits.document },
      next: ["Shorten it, or split it into several tasks. Large designs belong in a file of the repository."],
    },
  );
}

export function claimedTask(key: string, { holder, leftMs }: Pick<CurrentLease, "holder" | "leftMs">): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Task ${shorten(key)} is claimed by ${holder}, for ${inMinutes(leftMs)} yet. Nothing was changed.`,
    {
      details: { task: key, holder, expiresInMs: leftMs },
      next: [
        "Choose another task (forge_get_tasks with ready: true), or try again when the claim has ended.",
        "A person can take it back for them: forge task release.",
      ],
    },
  );
}

export function reservedStatus(status: TaskStatus): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `A task becomes ${status} by its execution, not by being told so. Nothing was changed.`,
    {
      details: { status, allowed: ["pending", "failed"] },
      next: [
        status === "completed"
          ? "Execute it (forge_execute_task) and commit its changes (forge_commit_changes)."
          : "Start it with forge_execute_task.",
        "A person at a terminal can set it: forge task edit --status.",
      ],
    },
  );
}

export function taskInExecution(key: string, execution: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Task ${shorten(key)} is being executed (${execution}), so its status is not changed from outside.`,
    {
      details: { task: key, execution_id: execution },
      next: [`Cancel the execution first: forge_cancel_execution with execution_id "${execution}".`],
    },
  );
}

export function completedTask(key: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Task ${shorten(key)} is completed. Nothing was changed.`, {
    details: { task: key, status: "completed" },
    next: ["To do it again set it back first: forge_update_task with status pending."],
  });
}

export function unmetDependencies(key: string, unmet: readonly { ref: string; status: string }[]): ForgeError {
  const names = unmet.slice(0, 20).map(({ ref, status }) => `${shorten(ref)} (${status})`);
  const more = unmet.length > names.length ? ` and ${unmet.length - names.length} more` : "";
  const isUnknown = unmet.some(({ status }) => status === "unknown");
  return new ForgeError("DEPENDENCY_ERROR", `Task ${shorten(key)} waits for ${names.join(", ")}${more}.`, {
    details: { task: key, waits_for: unmet.slice(0, 100).map(({ ref }) => ref), unmet: unmet.slice(0, 100) },
    next: [
      "Execute what it waits for first, or give options: {resolve_dependencies: true} to start the first that is ready.",
      ...(isUnknown
        ? ["An unknown one is no task's or block's id nor a block's name: correct it with forge_update_task."]
        : []),
    ],
  });
}

export function dependencyCycle(key: string, path: readonly string[]): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `Task ${shorten(key)} waits for itself: ${formatCycle(path)}.`, {
    details: { task: key, cycle: path.slice(0, 100) },
    next: ["Take one of these dependencies out: forge_update_task with the dependencies that are to stay."],
  });
}

/** A long way round keeps its ends. */
export function formatCycle(path: readonly string[]): string {
  const ends = path.length > 20 ? [...path.slice(0, 10), "…", ...path.slice(-9)] : path;
  return ends.map(shorten).join(" → ");
}

export function invalidCursor(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The cursor is not one that a list gave.", {
    next: ["Give `next_cursor` of the page before, or none for the first page."],
  });
}
