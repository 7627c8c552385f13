import { shellWord } from "../../../commons/cli/shell-word.ts";
import { anyOf } from "../../../kernel/text/closest.ts";
import type { Property, Shape } from "./shape.ts";

/** What a value must be, as a sentence goes on after "it is". */
export function expectationOf(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return shape.choices.length > 0 ? anyOf(shape.choices) : "text";
    case "boolean":
      return "true or false";
    case "number":
      return `${shape.integer ? "an integer" : "a number"}${range(shape)}`;
    case "list":
      return isFlat(shape) ? `a list, each item ${expectationOf(shape.items)}` : "a list, written as JSON";
    case "object":
      return "an object";
    case "json":
      return "a value written as JSON";
  }
}

function range({ min, max }: { min: number | undefined; max: number | undefined }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? "" : ` of at most ${max}`;
}

/** Whether `key=a,b` can say the list. */
export function isFlat({ items }: Extract<Shape, { kind: "list" }>): boolean {
  return items.kind === "text" || items.kind === "number" || items.kind === "boolean";
}

/** How an argument is written, for usage and help: `limit=N`, `tags=TEXT,...`, `options:=JSON`. */
export function wordFor({ name, shape }: Pick<Property, "name" | "shape">): string {
  switch (shape.kind) {
    case "text":
      return `${name}=${shape.choices.length > 0 ? shape.choices.join("|") : "TEXT"}`;
    case "boolean":
      return `${name}=true|false`;
    case "number":
      return `${name}=N`;
    case "list":
      return isFlat(shape) ? `${wordFor({ name, shape: shape.items })},...` : `${name}:=JSON`;
    case "object":
    case "json":
      return `${name}:=JSON`;
  }
}

/** An argument with a value that fits, ready to be typed in a POSIX shell. */
export function exampleOf({ name, shape }: Pick<Property, "name" | "shape">): string {
  switch (shape.kind) {
    case "text":
      return `${name}=${shape.choices[0] === undefined ? "TEXT" : shellWord(shape.choices[0])}`;
    case "boolean":
      return `${name}=true`;
    case "number":
      return `${name}=${exampleNumber(shape)}`;
    case "list":
      return isFlat(shape) ? exampleOf({ name, shape: shape.items }) : `${name}:='${JSON.stringify(valueFor(shape))}'`;
    case "object":
    case "json":
      return `${name}:='${JSON.stringify(valueFor(shape))}'`;
  }
}

function exampleNumber({ min, max }: { min: number | undefined; max: number | undefined }): number {
  if (min !== undefined) return Math.max(min, Math.min(10, max ?? 10));
  return Math.min(10, max ?? 10);
}

/** A value of that shape, as small as it can be. */
function valueFor(shape: Shape): unknown {
  switch (shape.kind) {
    case "text":
      return shape.choices[0] ?? "TEXT";
    case "boolean":
      return true;
    case "number":
      return exampleNumber(shape);
    case "list":
      return [valueFor(shape.items)];
    case "object":
      return Object.fromEntries(
        shape.properties.filter(({ required }) => required).map(({ name, shape: inner }) => [name, valueFor(inner)]),
      );
    case "json":
      return {};
  }
}

/** A call that works, with the arguments it cannot do without; where there are none, with the first. */
export function exampleCall({ by, name }: { by: string; name: string }, properties: Property[]): string {
  const needed = properties.filter(({ required }) => required);
  const shown = needed.length > 0 ? needed : properties.slice(0, 1);
  return ["forge", by, name, ...shown.map(exampleOf)].join(" ");
}
