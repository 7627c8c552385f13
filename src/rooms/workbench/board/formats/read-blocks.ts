import { excerpt } from "../../../../kernel/text/excerpt.ts";
import { limits } from "../../model/limits.ts";
import type { TaskStatus } from "../../model/task-model.ts";
import { deriveId } from "../model/ids.ts";
import { taskColumns, taskLists, taskTexts } from "../store/documents.ts";
import { BlocksReader } from "./blocks-reader.ts";
import type { Json, JsonObject } from "./json.ts";
import { parseStatus, stripStatus } from "./status-text.ts";

export type FileTask = {
  id: string;
  name: string;
  status: TaskStatus;
  commitId: string;
  dependencies: string[];
  document: JsonObject;
};
export type FileBlock = { id: string; name: string; document: JsonObject; tasks: FileTask[] };
export type ParsedBlocks = { blocks: FileBlock[]; warnings: string[] };

const sides = ["inputs", "outputs"] as const;
const connectionLists = ["input_connections", "output_connections"] as const;

/** The blocks of a `blocks_config.json`, in its current and older forms. */
export function readBlocks(text: string, source: string): ParsedBlocks {
  const reader = new BlocksReader(text, source);
  const blocks: FileBlock[] = [];
  const taken = new Map<string, string>();
  for (const [index, value] of reader.list(reader.root, "the file", "a list of blocks").entries()) {
    const block = readBlock(reader, value, index);
    for (const [what, key] of [
      ["block_id", block.id],
      ["name", block.name],
    ] as const) {
      const other = taken.get(`${what}:${key}`);
      if (other !== undefined)
        reader.refuse(value, other, `its ${what} "${excerpt(key)}" is also used by another block`, "a unique one");
      taken.set(`${what}:${key}`, `block ${excerpt(block.name)}`);
    }
    blocks.push(block);
  }
  return { blocks, warnings: reader.warnings };
}

function readBlock(reader: BlocksReader, value: Json, index: number): FileBlock {
  const where = `block ${index + 1}`;
  const given = reader.object(value, where, "a block: an object with name, block_id and todo_list");
  const document: JsonObject = new Map(given);
  const name = reader.name(given, "name", where, limits.name);
  const named = `block ${excerpt(name)}`;
  const id = reader.id(given, "block_id", named) ?? deriveId(["block", name]);
  reader.text(given, "description", named, limits.text);
  for (const side of sides) checkPorts(reader, given, side, named);
  checkConnections(reader, given, named);
  const tasks = readTasks(reader, given.get("todo_list") ?? null, { id, named });
  for (const column of ["name", "block_id"]) if (document.has(column)) document.set(column, "");
  if (document.has("todo_list")) document.set("todo_list", new Map());
  return { id, name, document, tasks };
}

function checkPorts(reader: BlocksReader, block: JsonObject, side: string, where: string): void {
  const ports = reader.optionalList(block, side, where);
  for (const port of ports) {
    if (typeof port === "string") reader.requireLength(port, `${where}, ${side}`, limits.name);
    else {
      const object = reader.object(port, `${where}, ${side}`, "objects with name, ctype and description");
      for (const name of ["name", "ctype"]) reader.text(object, name, `${where}, ${side}`, limits.name);
      reader.text(object, "description", `${where}, ${side}`, limits.text);
    }
  }
}

function checkConnections(reader: BlocksReader, block: JsonObject, where: string): void {
  const value = block.get("connections") ?? null;
  if (value === null) return;
  const connections = reader.object(value, `${where}, connections`, "an object with two lists");
  for (const name of connectionLists)
    for (const item of reader.optionalList(connections, name, `${where}, connections`))
      reader.object(item, `${where}, ${name}`, "a list of objects");
}

type BlockContext = { id: string; named: string };

/** An object by id; in older files a list of tasks or texts. */
function readTasks(reader: BlocksReader, value: Json, block: BlockContext): FileTask[] {
  if (value === null) return [];
  const entries: [key: string | undefined, task: Json][] = Array.isArray(value)
    ? value.map((task) => [undefined, task])
    : [...reader.object(value, `${block.named}, todo_list`, "an object of tasks by id")];
  const seen = new Set<string>();
  return entries.map(([key, task], index) => {
    const made = readTask(reader, task, { key, index, block });
    if (seen.has(made.id))
      reader.refuse(task, block.named, `the task_id "${excerpt(made.id)}" is used twice`, "a unique one in the block");
    seen.add(made.id);
    return made;
  });
}

type TaskContext = { key: string | undefined; index: number; block: BlockContext };

function readTask(reader: BlocksReader, value: Json, { key, index, block }: TaskContext): FileTask {
  const where = `${block.named}, task ${key === undefined ? index + 1 : excerpt(key)}`;
  if (typeof value === "string") return readTextTask(reader, value, block, where);
  const given = reader.object(value, where, "a task: an object with task_id, task_name and status");
  const document: JsonObject = new Map(given);
  const name = reader.name(given, "task_name", where, limits.name);
  const own = reader.id(given, "task_id", where);
  const id = key === undefined ? (own ?? deriveId([block.id, name])) : reader.requireId(key, where);
  if (own !== undefined && own !== id)
    reader.warnings.push(`${where}: its task_id says "${excerpt(own)}"; the id it is listed under is used.`);
  for (const [field, max] of Object.entries(taskTexts)) reader.text(given, field, where, max);
  for (const [field, max] of Object.entries(taskLists)) reader.texts(given, field, where, max);
  const dependencies = reader.columnTexts(given, "dependencies", where);
  const commitId = reader.text(given, "commit_id", where, limits.name);
  const { status, description } = readStatusAndDescription(reader, given, where);
  if (description !== undefined) document.set("description", description);
  for (const column of taskColumns) if (document.has(column)) document.set(column, "");
  return { id, name, status, commitId, dependencies, document };
}

/** `description` if a status was removed from it. */
function readStatusAndDescription(
  reader: BlocksReader,
  task: JsonObject,
  where: string,
): { status: TaskStatus; description?: string } {
  const written = reader.text(task, "status", where, limits.name);
  const status = parseStatus(written);
  if (!status) {
    const known = "[TODO], [IN-PROGRESS], [COMPLETED] or [FAILED]";
    return reader.refuse(task, where, `"${excerpt(written)}" is not a status`, known);
  }
  const { text: description, status: appended } = stripStatus(reader.text(task, "description", where, limits.text));
  if (appended === undefined) return { status };
  return { status: written.trim() === "" ? appended : status, description };
}

function readTextTask(reader: BlocksReader, text: string, block: BlockContext, where: string): FileTask {
  reader.requireLength(text, where, limits.text);
  const { text: description, status = "pending" } = stripStatus(text);
  const [line = ""] = description.trim().split("\n", 1);
  const name = line.trim().slice(0, limits.name) || "Task";
  const document: JsonObject = new Map([["description", description]]);
  return { id: deriveId([block.id, text]), name, status, commitId: "", dependencies: [], document };
}
