import type { App } from "../../../commons/cli/app.ts";
import type { ArgumentShape } from "../../../commons/cli/derive.ts";
import { findClosest } from "../../../kernel/text/closest.ts";
import { ambiguousExecution, ambiguousPrefix, noOpenExecution, unknownExecution } from "../executions/errors.ts";
import type { Executions } from "../executions/executions.ts";
import type { Execution } from "../model/execution-model.ts";
import type { WorkbenchServices } from "../model/services.ts";

const pageSize = 500;
const maxNamed = 10;
const fullId = /^exec_[0-9a-f]{12}$/;

export const executionArgument: ArgumentShape = {
  field: "execution_id",
  name: "id",
  required: false,
  help: "The execution's id, or the beginning of it (default: the only open one).",
};

export async function requireExecution(app: App, typed: unknown): Promise<string> {
  const id = await resolveExecution(app, typed);
  if (id === undefined) throw noOpenExecution();
  return id;
}

/**
 * The id that begins as typed, with or without `exec_`, or that of the only open execution. Undefined if nothing was typed and none
 * is open.
 */
export async function resolveExecution(app: App, typed: unknown): Promise<string | undefined> {
  const { executions } = await app.room<WorkbenchServices>("workbench");
  if (typeof typed !== "string") return findOnlyOpen(executions);
  if (fullId.test(typed)) return typed;
  const found = await findByPrefix(executions, typed);
  const [only, other] = found;
  if (only === undefined) throw unknownExecution(typed, await findNearest(executions, typed));
  if (other !== undefined)
    throw ambiguousPrefix(
      typed,
      found.slice(0, maxNamed).map(({ id }) => id),
    );
  return only.id;
}

async function findOnlyOpen(executions: Executions): Promise<string | undefined> {
  const { executions: open, total } = await executions.list({ status: ["running"], limit: maxNamed });
  if (total > 1) throw ambiguousExecution(open, total);
  return open[0]?.id;
}

async function findByPrefix(executions: Executions, typed: string): Promise<Execution[]> {
  const found: Execution[] = [];
  let cursor: string | undefined;
  do {
    const page = await executions.list({ limit: pageSize, cursor });
    found.push(...page.executions.filter(({ id }) => id.startsWith(typed) || id.startsWith(`exec_${typed}`)));
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < 2);
  return typed === "" ? [] : found;
}

async function findNearest(executions: Executions, typed: string): Promise<string[]> {
  const { executions: latest } = await executions.list({ limit: pageSize });
  return findClosest(
    typed,
    latest.map(({ id }) => id),
  );
}
