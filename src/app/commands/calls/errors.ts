import { ForgeError } from "../../../kernel/errors.ts";
import { anyOf, didYouMean } from "../../../kernel/text/closest.ts";
import { exampleCall, exampleOf, expectationOf } from "./describe.ts";
import type { Property, Shape } from "./shape.ts";

const maxQuoted = 64;

function quote(text: string): string {
  return `"${text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text}"`;
}

function wrong(tool: string, message: string, next: string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", message, {
    next: [...next, { command: `call ${tool} --help`, why: "to see its arguments" }],
  });
}

export function notAnAssignment(tool: string, word: string, known: Property[]): ForgeError {
  const [first] = known;
  const example = first ? `For example: ${exampleOf(first)}` : `${tool} takes no arguments.`;
  return wrong(tool, `${quote(word)} is not an argument. Write arguments as KEY=VALUE or KEY:=JSON.`, [example]);
}

export function unknownArgument(tool: string, key: string, known: readonly string[]): ForgeError {
  const expected = known.length > 0 ? `Its arguments are ${anyOf(known)}` : "It takes none";
  return wrong(tool, `${tool} has no argument ${quote(key)}. ${expected}.`, didYouMean(key, known));
}

export function wrongValue(tool: string, key: string, value: string, shape: Shape): ForgeError {
  const near = shape.kind === "text" ? didYouMean(value, shape.choices) : [];
  return wrong(tool, `${key} cannot be ${quote(value)}; it must be ${expectationOf(shape)}.`, [
    ...near,
    `For example: ${exampleOf({ name: key, shape })}`,
  ]);
}

/** An object or a mixed list was given as plain text. */
export function needsJson(tool: string, key: string, shape: Shape): ForgeError {
  const inner = shape.kind === "object" ? shape.properties[0] : undefined;
  const single = inner ? [`Or one part of it: ${exampleOf({ ...inner, name: `${key}.${inner.name}` })}`] : [];
  return wrong(tool, `${key} is ${expectationOf(shape)}; write it as KEY:=JSON.`, [
    `For example: ${exampleOf({ name: key, shape })}`,
    ...single,
  ]);
}

/** The value itself stays out of the message: it may be long, or secret. */
export function notJson(tool: string, key: string): ForgeError {
  return wrong(tool, `The value of ${key}:= is not valid JSON.`, [
    `Write text as ${key}=TEXT, without the colon. In a shell, put JSON in single quotes: ${key}:='["a","b"]'`,
  ]);
}

export function givenTwice(tool: string, key: string): ForgeError {
  return wrong(tool, `${key} was given twice; only lists can be.`, ["Leave out one of the two."]);
}

export function missingArguments(tool: string, missing: Property[], all: Property[]): ForgeError {
  const names = missing.map(({ name, help }) => (help === "" ? name : `${name} (${help.replace(/\.$/, "")})`));
  return wrong(tool, `${tool} needs ${names.join(" and ")}.`, [`For example: ${exampleCall(tool, all)}`]);
}

export function badInput(tool: string, source: string, why: string): ForgeError {
  return wrong(tool, `The input ${source} cannot be used: ${why}.`, [
    `It must be one JSON object with the arguments, for example {"key": "value"}.`,
  ]);
}
