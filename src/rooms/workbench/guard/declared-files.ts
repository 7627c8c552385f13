import { posix } from "node:path";
import { anyFile, type Guard } from "../../../commons/guard/index.ts";
import type { Task } from "../model/task-model.ts";
import { adoptionOf, foreignBlockMark, foreignMark } from "./task-marks.ts";

/** The files that may change without asking: any but protected ones, or these. */
export type DeclaredFiles = "any" | readonly string[];

type DeclarationDeps = {
  guard: Pick<Guard, "marks">;
  isAdoptedTicket(ticketId: string): Promise<boolean>;
};

/** What work on a task may change: any file, those it lists, or none if it was written after reading text by others. */
export async function listDeclared({ guard, isAdoptedTicket }: DeclarationDeps, task: Task): Promise<DeclaredFiles> {
  const { marks } = guard;
  if (await marks.has(adoptionOf(task))) return "any";
  if (await marks.has(foreignMark(task))) return [];
  // Who takes a ticket over has not seen what a file of others made of its tasks.
  const isOthers = await marks.has(foreignBlockMark(task.blockId));
  if (!isOthers && task.ticketId !== undefined && (await isAdoptedTicket(task.ticketId))) return "any";
  return task.files_affected.map((path) => posix.normalize(path.trim()));
}

/** A declared folder ends with a slash and includes what is in it. */
export function isWithin(path: string, declared: string): boolean {
  return path === declared || (/^[^./].*\/$/.test(declared) && path.startsWith(declared));
}

/** What a question says of them, in its sentence and behind it. */
export function sayAny(files: DeclaredFiles): string {
  return files === "any" ? `, and change ${anyFile}` : "";
}

export function sayListed(files: DeclaredFiles): { files?: DeclaredFiles } {
  return files === "any" || files.length === 0 ? {} : { files };
}
