import type { App } from "../../../../commons/cli/app.ts";
import type { Argument, Candidate, TypingPlace } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { WorkbenchDesk } from "../desk.ts";

export const executionArgument: Argument = {
  name: "id",
  required: false,
  help: "The execution's id, or the beginning of it; the only open one where left out.",
};

export async function requireExecution(desk: WorkbenchDesk, typed: string | undefined): Promise<string> {
  const id = await desk.executionId(typed);
  if (id === undefined) throw noneOpen();
  return id;
}

/** Those that are open come first. */
export async function completeExecution(app: App, { option, positionals }: TypingPlace): Promise<Candidate[]> {
  if (option !== undefined || positionals.length > 0) return [];
  const all = await (await app.workbench()).suggest.executions();
  const isOpen = ({ status }: (typeof all)[number]) => status === "running";
  return [...all.filter(isOpen), ...all.filter((one) => !isOpen(one))].map(({ id, task, status }) => ({
    value: id,
    help: `${status}  ${task}`,
  }));
}

function noneOpen(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "No execution is open.", {
    next: [
      "`forge run start BLOCK/TASK` opens one.",
      "`forge run list` shows those that have ended; name one by its id.",
    ],
  });
}
