import { inMinutes } from "../../../../commons/claims/index.ts";
import { shellWord } from "../../../../commons/cli/shell-word.ts";
import type { CurrentLease } from "../../../../commons/leases/index.ts";
import type { Action } from "../../../../kernel/action.ts";
import type { TextOrigin } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { didYouMean } from "../../../../kernel/text/closest.ts";
import { excerpt } from "../../../../kernel/text/excerpt.ts";
import { visible } from "../../../../kernel/text/visible.ts";
import { limits } from "../../model/limits.ts";
import type { TaskStatus } from "../../model/task-model.ts";
import { formatCycle } from "./format-cycle.ts";
import { parseTaskKey } from "./ids.ts";

const shorten = (text: string) => visible(text.slice(0, limits.id));
const maxShown = 20;
const maxDetails = 100;

/** The input that names a task, by its key. */
function taskInput(key: string): Record<string, unknown> {
  const { blockId, taskId } = parseTaskKey(key);
  return { block_id: blockId, task_id: taskId };
}

const listBlocks: Action = { tool: "forge_get_blocks", why: "to see all blocks" };

export function ticketBlockTaken(): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    'The board has a block named "tickets", which is the name for executing tickets.',
    {
      next: [{ command: "block edit tickets --name NAME", why: "to rename the block" }],
    },
  );
}

export function reservedBlock(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", 'Tickets are executed in the block "tickets". Nothing was created.', {
    next: ["Choose another id and name."],
  });
}

export function unknownBlock(ref: string, known: readonly string[], quotes: TextOrigin): ForgeError {
  return new ForgeError("NOT_FOUND", `Block "${shorten(ref)}" not found.`, {
    details: { block_id: shorten(ref) },
    next: [...didYouMean(ref, known), listBlocks],
    ...(didYouMean(ref, known).length > 0 && { quotes }),
  });
}

export function unknownTask(
  block: { id: string },
  id: string,
  { known, elsewhere, quotes }: { known: readonly string[]; elsewhere: string | undefined; quotes: TextOrigin },
): ForgeError {
  return new ForgeError("NOT_FOUND", `Block ${shorten(block.id)} has no task "${shorten(id)}".`, {
    details: { block_id: block.id, task_id: shorten(id) },
    next: [
      ...(elsewhere === undefined ? [] : [`Block ${shorten(elsewhere)} has a task with that id.`]),
      ...didYouMean(id, known),
      { tool: "forge_get_tasks", input: { block_id: block.id }, why: "to see the tasks of this block" },
    ],
    quotes,
  });
}

export function duplicateBlock(what: "id" | "name", value: string, by: string, quotes: TextOrigin): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Block ${shorten(by)} already has the ${what} "${shorten(value)}". Nothing was changed.`,
    {
      details: { [what]: shorten(value), block_id: by },
      next: [
        `Choose another ${what}.`,
        { tool: "forge_create_task", input: { block_id: by, task_name: "NAME" }, why: "to add tasks to that block" },
      ],
      quotes,
    },
  );
}

export function duplicateTask(block: string, id: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Block ${shorten(block)} already has a task "${shorten(id)}". Nothing was added.`,
    {
      details: { block_id: block, task_id: shorten(id) },
      next: [
        "Leave out the id to get a new one.",
        { tool: "forge_update_task", input: { block_id: block, task_id: id }, why: "to change that task" },
      ],
    },
  );
}

export function documentTooLarge(what: string, size: number): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `The ${what} would be ${size} characters long as JSON; the limit is ${limits.document}. Nothing was written.`,
    {
      details: { size, limit: limits.document },
      next: ["Shorten it, or split it into several tasks. Put large designs in a file of the repository."],
    },
  );
}

export function claimedTask(key: string, { holder, leftMs }: Pick<CurrentLease, "holder" | "leftMs">): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Task ${shorten(key)} is claimed by ${holder} for another ${inMinutes(leftMs)}. Nothing was changed.`,
    {
      details: { task: key, holder, expiresInMs: leftMs },
      next: [
        { tool: "forge_get_tasks", input: { ready: true }, why: "to choose another task" },
        "Or try again when the claim has expired.",
        { command: `task release ${shellWord(shorten(key))}`, why: "to release the claim" },
      ],
    },
  );
}

export function reservedStatus(status: TaskStatus): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `Only an execution sets a task to ${status}. Nothing was changed.`, {
    details: { status, allowed: ["pending", "failed"] },
    next: [
      {
        tool: "forge_execute_task",
        input: { block_id: "BLOCK", task_id: "TASK" },
        why: status === "completed" ? "to execute it; committing its changes completes it" : "to start it",
      },
      { command: `task edit BLOCK/TASK --status ${status}`, why: "to set it by hand, on a terminal" },
    ],
  });
}

export function taskInExecution(key: string, execution: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `Task ${shorten(key)} is being executed (${execution}), so its status cannot be changed.`,
    {
      details: { task: key, execution_id: execution },
      next: [{ tool: "forge_cancel_execution", input: { execution_id: execution }, why: "to end the execution first" }],
    },
  );
}

export function completedTask(key: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Task ${shorten(key)} is already completed. Nothing was changed.`, {
    details: { task: key, status: "completed" },
    next: [{ tool: "forge_update_task", input: { ...taskInput(key), status: "pending" }, why: "to reopen it first" }],
  });
}

export function unmetDependencies(
  key: string,
  unmet: readonly { ref: string; status: string }[],
  quotes: TextOrigin,
): ForgeError {
  const names = unmet.slice(0, maxShown).map(({ ref, status }) => `${shorten(ref)} (${status})`);
  const more = unmet.length > names.length ? ` and ${unmet.length - names.length} more` : "";
  const isUnknown = unmet.some(({ status }) => status === "unknown");
  return new ForgeError("DEPENDENCY_ERROR", `Task ${shorten(key)} waits for ${names.join(", ")}${more}.`, {
    details: {
      task: key,
      waits_for: unmet.slice(0, maxDetails).map(({ ref }) => ref),
      unmet: unmet.slice(0, maxDetails),
    },
    next: [
      "Execute its dependencies first.",
      {
        tool: "forge_execute_task",
        input: { ...taskInput(key), options: { resolve_dependencies: true } },
        why: "to start the first dependency that is ready",
      },
      ...(isUnknown
        ? [
            {
              tool: "forge_update_task",
              input: { ...taskInput(key), dependencies: ["REF"] },
              why: "to correct unknown dependencies, which match no task or block",
            },
          ]
        : []),
    ],
    quotes,
  });
}

export function dependencyCycle(key: string, path: readonly string[], quotes: TextOrigin): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `Task ${shorten(key)} waits for itself: ${formatCycle(path)}.`, {
    details: { task: key, cycle: path.slice(0, maxDetails) },
    next: [
      {
        tool: "forge_update_task",
        input: { ...taskInput(key), dependencies: ["REF"] },
        why: "to remove one of these dependencies: give those that stay",
      },
    ],
    quotes,
  });
}

export function noTaskChanges(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Nothing to change was given.", {
    next: ["Give at least one field, such as a name, a description, acceptance criteria or a status."],
  });
}

export function noBlockChanges(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Nothing to change was given.", {
    next: ["Give a new name or a new description."],
  });
}

type FileProblem = {
  /** The name of the file, or another name of the text. */
  source: string;
  line?: number | undefined;
  column?: number | undefined;
  /** Where in the file, in its own words: `block AuthService, task TMy3c6`. */
  within?: string | undefined;
  /** What is wrong, as a sentence without its full stop. */
  what: string;
  expected: string;
};

/** A text that is not a valid file of blocks. */
export function invalidBlocksFile({ source, line, column, within, what, expected }: FileProblem): ForgeError {
  const place = [
    excerpt(source),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(within === undefined ? [] : [within]),
  ];
  return new ForgeError(
    "VALIDATION_ERROR",
    `${place.join(", ")}: ${what}. Expected ${expected}. Nothing was imported.`,
    {
      details: {
        source: excerpt(source),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
      },
      next: ["Correct the file at that place.", { command: "block import", why: "to import it again" }],
    },
  );
}

export function unknownFileChanges(path: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${path} has changes that are not on the board. It was not overwritten.`, {
    details: { path },
    next: [
      { command: "block import", why: "to import these changes, then export again" },
      { command: `block export ${path} --force`, why: "to replace the file" },
    ],
  });
}

export function missingBlocksFile(path: string, cause: unknown): ForgeError {
  return new ForgeError("NOT_FOUND", `${path} does not exist.`, {
    details: { path },
    next: [
      { command: "block import FILE", why: "to import another file" },
      { command: "block export blocks_config.json", why: "to write the board to it" },
    ],
    cause,
  });
}
