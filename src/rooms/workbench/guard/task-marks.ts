import { createHash } from "node:crypto";
import type { MarkedText } from "../../../commons/guard/index.ts";
import { taskReference } from "../board/model/ids.ts";
import type { Task } from "../model/task-model.ts";

export type TaskIds = Pick<Task, "blockId" | "id">;
/** With the references to others that are shown with a task. */
export type ReadOfBoard = {
  blocks?: readonly string[];
  tasks?: readonly (TaskIds & Partial<Pick<Task, "dependencies">>)[];
};

/** Each that says that blocks and tasks are text by others. */
export function listMarksOf({ blocks = [], tasks = [] }: ReadOfBoard): MarkedText[] {
  const shown = tasks.flatMap(({ blockId, dependencies = [] }) => [blockId, ...dependencies.map(blockOf)]);
  const ofBlocks = [...new Set([...blocks, ...shown])].map(foreignBlockMark);
  return [...ofBlocks, ...tasks.flatMap((task) => [foreignMark(task), foreignTicketMark(task)])];
}

function blockOf(reference: string): string {
  return reference.slice(0, Math.max(0, reference.lastIndexOf("/")));
}

/** That a person took the task over, as its text is now. */
export function adoptionOf(task: Task): MarkedText {
  return { kind: "adopted", subject: taskReference(task.blockId, task.id), sha256: hashTask(task) };
}

/** That a caller wrote it after reading text by others. */
export function foreignMark(task: TaskIds): MarkedText {
  return { kind: "foreign", subject: taskReference(task.blockId, task.id), sha256: "" };
}

/** The same for a block: its name is shown with each of its tasks. */
export function foreignBlockMark(blockId: string): MarkedText {
  return { kind: "foreign", subject: `block:${blockId}`, sha256: "" };
}

/** The same for an execution: it has the title of its task or ticket, and what was said of the work. */
export function foreignExecutionMark(execution: string): MarkedText {
  return { kind: "foreign", subject: `execution:${execution}`, sha256: "" };
}

/** That others wrote the ticket that a task is made of. It still says which files may change. */
export function foreignTicketMark(task: TaskIds): MarkedText {
  return { kind: "foreign", subject: `text:${taskReference(task.blockId, task.id)}`, sha256: "" };
}

/** Whether a task still has a text that it had before. */
export function hasTextOf(task: Task, before: Task): boolean {
  const texts = new Set(listTexts(before));
  return listTexts(task).some((text) => texts.has(text));
}

function listTexts({ name, description, estimated_effort, log, dependencies, ...task }: Task): string[] {
  const lists = [task.acceptance_criteria, task.files_affected, task.function_signatures, task.testing_requirements];
  const texts = [name, description, estimated_effort, log, ...dependencies, ...lists.flat()];
  return texts.filter((text) => text !== "");
}

/** What a person reads of a task; not its status nor its log. */
export function hashTask(task: Task): string {
  const { name, description, acceptance_criteria, files_affected, function_signatures, testing_requirements } = task;
  const text = [name, description, acceptance_criteria, files_affected, function_signatures, testing_requirements];
  return createHash("sha256").update(JSON.stringify(text)).digest("hex");
}
