import type { Candidate } from "../../../kernel/definitions/command.ts";
import { type Property, propertiesOf, type Shape } from "./shape.ts";

/** Candidates for a tool's next argument: keys that are not given yet, then the values of a key. */
export function completeArguments(inputSchema: Record<string, unknown>, words: string[], typed: string): Candidate[] {
  const properties = propertiesOf(inputSchema);
  const at = typed.indexOf("=");
  if (at < 0) return properties.flatMap((property) => keyWords(property, words, ""));
  const key = typed.slice(0, at);
  const shape = shapeAt(key, properties);
  return shape ? values(shape).map((value) => ({ value: `${listSoFar(typed, shape)}${value}` })) : [];
}

/** Required ones say so; an object is offered by its keys. */
function keyWords(property: Property, words: string[], prefix: string): Candidate[] {
  const { name, shape, help, required } = property;
  const key = prefix + name;
  if (shape.kind === "object" && shape.properties.length > 0) {
    return shape.properties.flatMap((inner) => keyWords(inner, words, `${key}.`));
  }
  const isGiven = words.some((word) => word.startsWith(`${key}=`) || word.startsWith(`${key}:=`));
  if (isGiven && shape.kind !== "list") return [];
  return [{ value: `${key}=`, help: required ? `required: ${help}` : help }];
}

function shapeAt(key: string, properties: Property[]): Shape | undefined {
  const exact = properties.find(({ name }) => name === key);
  if (exact) return exact.shape;
  const outer = properties.find(({ name }) => key.startsWith(`${name}.`));
  if (outer?.shape.kind !== "object") return undefined;
  return shapeAt(key.slice(outer.name.length + 1), outer.shape.properties);
}

function values(shape: Shape): string[] {
  if (shape.kind === "text") return shape.choices;
  if (shape.kind === "boolean") return ["true", "false"];
  return shape.kind === "list" ? values(shape.items) : [];
}

/** The part of `tags=a,b` that is already typed. */
function listSoFar(typed: string, shape: Shape): string {
  const end = shape.kind === "list" ? Math.max(typed.indexOf("="), typed.lastIndexOf(",")) : typed.indexOf("=");
  return typed.slice(0, end + 1);
}
