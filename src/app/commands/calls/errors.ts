import { quote } from "../../../commons/cli/quote.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { anyOf, didYouMean } from "../../../kernel/text/closest.ts";
import { exampleCall, exampleOf, expectationOf } from "./describe.ts";
import type { Property, Shape } from "./shape.ts";

/** What is called from the command line, and by which command. */
export type Called = { by: "call" | "prompt"; name: string };

function wrong({ by, name }: Called, message: string, next: string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", message, {
    next: [...next, { command: `${by} ${name} --help`, why: "to see its arguments" }],
  });
}

export function notAnAssignment(called: Called, word: string, known: Property[]): ForgeError {
  const [first] = known;
  const example = first ? `For example: ${exampleOf(first)}` : `${called.name} takes no arguments.`;
  return wrong(called, `${quote(word)} is not an argument. Write arguments as KEY=VALUE or KEY:=JSON.`, [example]);
}

export function unknownArgument(called: Called, key: string, known: readonly string[]): ForgeError {
  const expected = known.length > 0 ? `Its arguments are ${anyOf(known)}` : "It takes none";
  return wrong(called, `${called.name} has no argument ${quote(key)}. ${expected}.`, didYouMean(key, known));
}

export function wrongValue(called: Called, key: string, value: string, shape: Shape): ForgeError {
  const near = shape.kind === "text" ? didYouMean(value, shape.choices) : [];
  return wrong(called, `${key} cannot be ${quote(value)}; it must be ${expectationOf(shape)}.`, [
    ...near,
    `For example: ${exampleOf({ name: key, shape })}`,
  ]);
}

/** An object or a mixed list was given as plain text. */
export function needsJson(called: Called, key: string, shape: Shape): ForgeError {
  const inner = shape.kind === "object" ? shape.properties[0] : undefined;
  const single = inner ? [`Or one part of it: ${exampleOf({ ...inner, name: `${key}.${inner.name}` })}`] : [];
  return wrong(called, `${key} is ${expectationOf(shape)}; write it as KEY:=JSON.`, [
    `For example: ${exampleOf({ name: key, shape })}`,
    ...single,
  ]);
}

/** The value itself stays out of the message: it may be long, or secret. */
export function notJson(called: Called, key: string): ForgeError {
  return wrong(called, `The value of ${key}:= is not valid JSON.`, [
    `Write text as ${key}=TEXT, without the colon. In a shell, put JSON in single quotes: ${key}:='["a","b"]'`,
  ]);
}

export function givenTwice(called: Called, key: string): ForgeError {
  return wrong(called, `${key} was given twice; only lists can be.`, ["Leave out one of the two."]);
}

export function missingArguments(called: Called, missing: Property[], all: Property[]): ForgeError {
  const names = missing.map(({ name, help }) => (help === "" ? name : `${name} (${help.replace(/\.$/, "")})`));
  return wrong(called, `${called.name} needs ${names.join(" and ")}.`, [`For example: ${exampleCall(called, all)}`]);
}

export function badInput(called: Called, source: string, why: string): ForgeError {
  return wrong(called, `The input ${source} cannot be used: ${why}.`, [
    `It must be one JSON object with the arguments, for example {"key": "value"}.`,
  ]);
}
