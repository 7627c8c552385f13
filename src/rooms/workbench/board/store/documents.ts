import { isRecord } from "../../../../kernel/json.ts";
import { limits } from "../../model/limits.ts";
import type { Block, PartialTaskContent, TaskContent } from "../../model/task-model.ts";
import { type Json, type JsonObject, parseOwn, printJson } from "../formats/json.ts";
import { documentTooLarge } from "../model/errors.ts";

/**
 * The content of a task or block is stored as its object in `blocks_config.json`: every name in its place, also names that Forge
 * does not know. Values that have a column of their own are empty there.
 */

export const taskTexts = { description: limits.text, estimated_effort: limits.name, log: limits.text } as const;
export const taskLists = {
  acceptance_criteria: limits.line,
  dependencies: limits.name,
  files_affected: limits.path,
  function_signatures: limits.line,
  testing_requirements: limits.line,
} as const;

/** The names of a task in the order of the file, with their empty values. */
const emptyTask: [name: string, empty: () => Json][] = [
  ["task_id", () => ""],
  ["task_name", () => ""],
  ["description", () => ""],
  ["acceptance_criteria", () => []],
  ["dependencies", () => []],
  ["estimated_effort", () => ""],
  ["files_affected", () => []],
  ["function_signatures", () => []],
  ["testing_requirements", () => []],
  ["log", () => ""],
  ["commit_id", () => ""],
  ["status", () => ""],
];
export const taskColumns = ["task_id", "task_name", "commit_id", "status"] as const;

const emptyBlock: [name: string, empty: () => Json][] = [
  ["name", () => ""],
  ["block_id", () => ""],
  ["description", () => ""],
  ["inputs", () => []],
  ["outputs", () => []],
  [
    "connections",
    () =>
      new Map<string, Json>([
        ["input_connections", []],
        ["output_connections", []],
      ]),
  ],
  ["todo_list", () => new Map<string, Json>()],
];

/** With every name that the file needs; missing ones at the end. */
export function completeTask(document: JsonObject): JsonObject {
  return complete(document, emptyTask);
}

export function completeBlock(document: JsonObject): JsonObject {
  return complete(document, emptyBlock);
}

function complete(document: JsonObject, empty: [name: string, empty: () => Json][]): JsonObject {
  const whole: JsonObject = new Map(document);
  for (const [name, value] of empty) if ((whole.get(name) ?? null) === null) whole.set(name, value());
  return whole;
}

/** The content of a new block. */
export type BlockContent = {
  description?: string | undefined;
  inputs?: Block["inputs"] | undefined;
  outputs?: Block["outputs"] | undefined;
};

export function createTaskDocument(content: PartialTaskContent): JsonObject {
  return editTaskDocument(completeTask(new Map()), content);
}

export function createBlockDocument(said: BlockContent): JsonObject {
  const document = completeBlock(new Map());
  if (said.description !== undefined) document.set("description", said.description);
  for (const side of ["inputs", "outputs"] as const) {
    const ports = said[side]?.map(({ name, ctype, description }): Json => {
      return new Map([
        ["name", name],
        ["ctype", ctype],
        ["description", description],
      ]);
    });
    if (ports) document.set(side, ports);
  }
  return document;
}

/** A copy with these fields; others stay. */
export function editTaskDocument(document: JsonObject, content: PartialTaskContent): JsonObject {
  const edited: JsonObject = new Map(document);
  for (const name of Object.keys(taskTexts) as (keyof typeof taskTexts)[]) {
    const text = content[name];
    if (text !== undefined) edited.set(name, text);
  }
  for (const name of Object.keys(taskLists) as (keyof typeof taskLists)[]) {
    const list = content[name];
    if (list !== undefined) edited.set(name, [...list]);
  }
  return edited;
}

export function serializeDocument(what: string, document: JsonObject): string {
  const text = printJson(document);
  if (text.length > limits.document) throw documentTooLarge(what, text.length);
  return text;
}

export function parseDocument(text: string): JsonObject {
  return parseOwn(text);
}

type LooseObject = Record<string, unknown>;

export function parseTaskContent(document: string): TaskContent {
  const said = JSON.parse(document) as LooseObject;
  return {
    description: toText(said["description"]),
    acceptance_criteria: toTexts(said["acceptance_criteria"]),
    dependencies: toTexts(said["dependencies"]).filter((ref) => ref !== ""),
    estimated_effort: toText(said["estimated_effort"]),
    files_affected: toTexts(said["files_affected"]),
    function_signatures: toTexts(said["function_signatures"]),
    testing_requirements: toTexts(said["testing_requirements"]),
    log: toText(said["log"]),
  };
}

export function parseBlockContent(document: string): Pick<Block, "description" | "inputs" | "outputs" | "connections"> {
  const said = JSON.parse(document) as LooseObject;
  const connections = isRecord(said["connections"]) ? said["connections"] : {};
  return {
    description: toText(said["description"]),
    inputs: toPorts(said["inputs"]),
    outputs: toPorts(said["outputs"]),
    connections: {
      input_connections: toList(connections["input_connections"]).filter(isRecord),
      output_connections: toList(connections["output_connections"]).filter(isRecord),
    },
  };
}

/** Older files have only a name. */
function toPorts(value: unknown): Block["inputs"] {
  return toList(value).map((port) => {
    if (!isRecord(port)) return { name: toText(port), ctype: "", description: "" };
    return { name: toText(port["name"]), ctype: toText(port["ctype"]), description: toText(port["description"]) };
  });
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function toTexts(value: unknown): string[] {
  return toList(value).filter((item) => typeof item === "string");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
