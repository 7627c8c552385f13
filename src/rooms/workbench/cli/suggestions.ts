import type { App } from "../../../commons/cli/app.ts";
import type { Candidate, TypingPlace } from "../../../kernel/definitions/command.ts";
import type { WorkbenchServices } from "../model/services.ts";

/** Values for a shell's Tab key. */

const maxSuggestions = 200;

const openServices = (app: App) => app.room<WorkbenchServices>("workbench");

export async function suggestBlocks(app: App): Promise<Candidate[]> {
  const { board } = await openServices(app);
  const { blocks } = await board.blocks({ limit: maxSuggestions });
  return blocks.flatMap(({ id, name }) => [
    { value: id, help: name },
    ...(name === id ? [] : [{ value: name, help: id }]),
  ]);
}

/** For the option `--block`, or the first word of a command. */
export async function suggestBlock(app: App, { option, positionals }: TypingPlace): Promise<Candidate[]> {
  const isBlock = option === "block" || (option === undefined && positionals.length === 0);
  return isBlock ? suggestBlocks(app) : [];
}

async function listTasks(app: App, block: string | undefined) {
  const { board } = await openServices(app);
  return (await board.tasks({ block, limit: maxSuggestions, includeDependencies: false })).tasks;
}

/** `BLOCK/TASK`, or the task's id after its block. */
export async function suggestTask(
  app: App,
  { option, positionals: [first, ...more] }: TypingPlace,
): Promise<Candidate[]> {
  if (option !== undefined || more.length > 0 || first?.includes("/")) return [];
  return (await listTasks(app, first)).map(({ blockId, id, name, status }) => ({
    value: first === undefined ? `${blockId}/${id}` : id,
    help: `${status}  ${name}`,
  }));
}

/** Without completed tasks, which cannot be started. */
export async function suggestOpenTask(app: App, place: TypingPlace): Promise<Candidate[]> {
  return (await suggestTask(app, place)).filter(({ help = "" }) => !help.startsWith("completed "));
}

/** What a task can depend on. */
export async function suggestDependencies(app: App): Promise<Candidate[]> {
  const tasks = await listTasks(app, undefined);
  return [
    ...tasks.map(({ blockId, id, name }) => ({ value: `${blockId}/${id}`, help: name })),
    ...(await suggestBlocks(app)),
  ];
}

/** Open executions first. */
export async function suggestExecution(app: App, { option, positionals }: TypingPlace): Promise<Candidate[]> {
  if (option !== undefined || positionals.length > 0) return [];
  const { executions } = await openServices(app);
  const all = (await executions.list({ limit: maxSuggestions })).executions;
  return [...all.filter(({ status }) => status === "running"), ...all.filter(({ status }) => status !== "running")].map(
    ({ id, status, blockId, taskId }) => ({ value: id, help: `${status}  ${blockId}/${taskId}` }),
  );
}

/** Words of a list with commas between them: those typed before stay. */
export function suggestInList(values: readonly string[], typed: string): Candidate[] {
  const before = typed.slice(0, typed.lastIndexOf(",") + 1).replace(/^--\w+=/, "");
  return values.map((value) => ({ value: before + value }));
}
