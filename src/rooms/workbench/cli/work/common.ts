import type { App } from "../../../../commons/cli/app.ts";
import type { Candidate, Output, Style, TypingPlace } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { ExecutionStatus, TaskStatus } from "../../model/limits.ts";
import type { WorkbenchDesk } from "../desk.ts";
import { inCommandWords } from "./command-words.ts";

/** What the workbench's commands have in common. */

export const facts = { settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"], group: "tasks" } as const;

export const pageOptions = {
  limit: { type: "number", short: "n", integer: true, min: 1, max: 200, help: "How many at most.", default: 50 },
  cursor: { type: "string", help: "Go on where the page before ended, as it said." },
} as const;

/** For a command that is to have a result: where Ctrl+C cuts it off, the exit code says so. */
export function deskForResult(app: App): Promise<WorkbenchDesk> {
  app.failOnSignals();
  return app.workbench();
}

/** Green is done, cyan is being worked on. */
export const taskColours: Record<TaskStatus, keyof Style> = {
  pending: "dim",
  in_progress: "cyan",
  completed: "green",
  failed: "red",
};

export const executionColours: Record<ExecutionStatus, keyof Style> = {
  running: "cyan",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
};

/** Beside the data; in JSON they are part of it. */
export function warn(out: Output, warnings: readonly string[] | undefined): void {
  if (out.json) return;
  for (const warning of warnings ?? []) out.note(`${out.style.yellow("warning:")} ${plain(inCommandWords(warning))}`);
}

export async function blockWords(app: App): Promise<Candidate[]> {
  const blocks = await (await app.workbench()).suggest.blocks();
  return blocks.flatMap(({ id, name }) => [
    { value: id, help: name },
    ...(name === id ? [] : [{ value: name, help: id }]),
  ]);
}

/** For the option `--block`, or the command's first word. */
export async function completeBlock(app: App, { option, positionals }: TypingPlace): Promise<Candidate[]> {
  const isWanted = option === "block" || (option === undefined && positionals.length === 0);
  return isWanted ? blockWords(app) : [];
}
