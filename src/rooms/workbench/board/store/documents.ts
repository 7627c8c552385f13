import { limits } from "../../model/limits.ts";
import type { Block, SomeContent, TaskContent } from "../../model/task-model.ts";
import { type Json, type JsonObject, parseOwn, printJson } from "../formats/json.ts";
import { tooLarge } from "../model/errors.ts";

/**
 * What a task or block says is kept as the object it is in `blocks_config.json`: every name in its place, also those that
 * Forge does not know. What has a column of its own is left empty there.
 */

export const taskTexts = { description: limits.text, estimated_effort: limits.name, log: limits.text } as const;
export const taskLists = {
  acceptance_criteria: limits.line,
  dependencies: limits.name,
  files_affected: limits.path,
  function_signatures: limits.line,
  testing_requirements: limits.line,
} as const;

/** The names of a task in the order of the original, each with what it is where nothing was said. */
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

/** Every name that the original needs, those that are missing at the end. */
export function completedTask(document: JsonObject): JsonObject {
  return completed(document, emptyTask);
}

export function completedBlock(document: JsonObject): JsonObject {
  return completed(document, emptyBlock);
}

function completed(document: JsonObject, empty: [name: string, empty: () => Json][]): JsonObject {
  const whole: JsonObject = new Map(document);
  for (const [name, value] of empty) if ((whole.get(name) ?? null) === null) whole.set(name, value());
  return whole;
}

/** What a new block says besides its name. */
export type BlockSaid = {
  description?: string | undefined;
  inputs?: Block["inputs"] | undefined;
  outputs?: Block["outputs"] | undefined;
};

export function taskDocument(content: SomeContent): JsonObject {
  return editedTask(completedTask(new Map()), content);
}

export function blockDocument(said: BlockSaid): JsonObject {
  const document = completedBlock(new Map());
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

/** A copy with these fields; what is not named stays. */
export function editedTask(document: JsonObject, content: SomeContent): JsonObject {
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

export function stored(what: string, document: JsonObject): string {
  const text = printJson(document);
  if (text.length > limits.document) throw tooLarge(what, text.length);
  return text;
}

export function storedDocument(text: string): JsonObject {
  return parseOwn(text);
}

type Loose = Record<string, unknown>;

export function taskContentFrom(document: string): TaskContent {
  const said = JSON.parse(document) as Loose;
  return {
    description: textOf(said["description"]),
    acceptance_criteria: textsOf(said["acceptance_criteria"]),
    dependencies: textsOf(said["dependencies"]).filter((ref) => ref !== ""),
    estimated_effort: textOf(said["estimated_effort"]),
    files_affected: textsOf(said["files_affected"]),
    function_signatures: textsOf(said["function_signatures"]),
    testing_requirements: textsOf(said["testing_requirements"]),
    log: textOf(said["log"]),
  };
}

export function blockContentFrom(document: string): Pick<Block, "description" | "inputs" | "outputs" | "connections"> {
  const said = JSON.parse(document) as Loose;
  const connections = isObject(said["connections"]) ? said["connections"] : {};
  return {
    description: textOf(said["description"]),
    inputs: portsOf(said["inputs"]),
    outputs: portsOf(said["outputs"]),
    connections: {
      input_connections: listOf(connections["input_connections"]).filter(isObject),
      output_connections: listOf(connections["output_connections"]).filter(isObject),
    },
  };
}

/** Older files have a name alone. */
function portsOf(value: unknown): Block["inputs"] {
  return listOf(value).map((port) => {
    if (!isObject(port)) return { name: textOf(port), ctype: "", description: "" };
    return { name: textOf(port["name"]), ctype: textOf(port["ctype"]), description: textOf(port["description"]) };
  });
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
