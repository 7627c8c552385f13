import { anyOf, closest } from "../../../kernel/closest.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/visible.ts";
import type { Executions } from "../executions/executions.ts";
import type { Execution } from "../model/execution-model.ts";

const page = 500;
const mostNamed = 10;
const wholeId = /^exec_[0-9a-f]{12}$/;

/**
 * The id of the execution that a person means: the one that begins as typed, with or without `exec_`, or the only open one.
 * Undefined where nothing was typed and none is open.
 */
export async function meantExecution(executions: Executions, typed: string | undefined): Promise<string | undefined> {
  if (typed === undefined) return onlyOpen(executions);
  if (wholeId.test(typed)) return typed;
  const fitting = await beginningWith(executions, typed);
  const [only, other] = fitting;
  if (only === undefined) throw await nothingLike(executions, typed);
  if (other !== undefined) throw severalLike(typed, fitting);
  return only.id;
}

async function onlyOpen(executions: Executions): Promise<string | undefined> {
  const { executions: open, total } = await executions.list({ status: ["running"], limit: mostNamed });
  if (total > 1) throw severalOpen(open, total);
  return open[0]?.id;
}

async function beginningWith(executions: Executions, typed: string): Promise<Execution[]> {
  const fitting: Execution[] = [];
  let cursor: string | undefined;
  do {
    const { executions: some, nextCursor } = await executions.list({ limit: page, cursor });
    fitting.push(...some.filter(({ id }) => id.startsWith(typed) || id.startsWith(`exec_${typed}`)));
    cursor = nextCursor;
  } while (cursor !== undefined && fitting.length < 2);
  return typed === "" ? [] : fitting;
}

async function nothingLike(executions: Executions, typed: string): Promise<ForgeError> {
  const { executions: latest } = await executions.list({ limit: page });
  const near = closest(
    typed,
    latest.map(({ id }) => id),
  );
  return new ForgeError("NOT_FOUND", `There is no execution "${visible(typed.slice(0, 100))}".`, {
    details: { execution_id: visible(typed.slice(0, 100)) },
    next: [...(near.length > 0 ? [`Did you mean ${anyOf(near)}?`] : []), "`forge run list` shows those there are."],
  });
}

function severalLike(typed: string, fitting: readonly Execution[]): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Several executions begin with "${visible(typed)}".`, {
    next: [`Type more of it: ${anyOf(fitting.slice(0, mostNamed).map(({ id }) => id))}.`],
  });
}

function severalOpen(open: readonly Execution[], total: number): ForgeError {
  const named = open.map(({ id, blockId, taskId }) => `${id} (${visible(`${blockId}/${taskId}`)})`);
  const more = total > named.length ? ` and ${total - named.length} more` : "";
  return new ForgeError("CONFLICT_ERROR", `${total} executions are open; say which is meant.`, {
    details: { executions: open.map(({ id, blockId, taskId }) => ({ id, task: `${blockId}/${taskId}` })) },
    next: [`Name one by its id or the beginning of it: ${named.join(", ")}${more}.`],
  });
}
