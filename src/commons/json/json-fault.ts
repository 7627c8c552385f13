import { type ParseErrorCode, printParseErrorCode } from "jsonc-parser";

/** Where a text stops being JSON, or has more than may be read. `what` and `expected` are parts of one sentence. */
export type JsonFault = { offset: number; what: string; expected: string };

/** Thrown out of the parser, which would otherwise try to go on. */
export class JsonFaultError extends Error {
  readonly fault: JsonFault;

  constructor(offset: number, what: string, expected: string) {
    super(what);
    this.fault = { offset, what, expected };
  }
}

const words: Record<string, [what: string, expected: string]> = {
  PropertyNameExpected: ["this is not a property name", "a name in double quotes"],
  ValueExpected: ["this is not a JSON value", "a value"],
  InvalidSymbol: ["this is not a JSON value", "a value"],
  ColonExpected: ["a property has no value", "a colon"],
  CommaExpected: ["a comma is missing", "a comma or the closing bracket"],
  CloseBraceExpected: ["an object is not closed", "} or another property"],
  CloseBracketExpected: ["an array is not closed", "] or another value"],
  InvalidCommentToken: ["JSON has no comments", "JSON without comments"],
  UnexpectedEndOfNumber: ["this number is incomplete", "a number such as 1.5"],
  InvalidNumberFormat: ["this is not a number", "a number such as 1.5"],
};

/** Whatever can stand in a string, from its first character on. */
const stringContent = /(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;

/** What the parser found wrong, in words. It gives the place of a token; inside a string the exact place is looked for. */
export function faultAt(text: string, code: ParseErrorCode, offset: number): JsonFaultError {
  const known = words[printParseErrorCode(code)];
  const place = known ? offset : faultyCharacter(text, offset);
  const [what, expected] = known ?? stringWords(text[place]);
  if (offset >= text.length) return new JsonFaultError(text.length, "the JSON ends too early", expected);
  return new JsonFaultError(place, what, expected);
}

export function textAfter(offset: number): JsonFaultError {
  return new JsonFaultError(offset, "there is more text after the JSON", "nothing more");
}

function stringWords(character: string | undefined): [what: string, expected: string] {
  if (character === '"') return ["a string is not closed", "a closing double quote"];
  if (character === "\\") return ["this is not an escape that JSON has", "an escape such as \\n or \\u00e9"];
  return ["a string contains a control character", "an escape such as \\n"];
}

/** The string's own quote where it has no end. */
function faultyCharacter(text: string, string: number): number {
  stringContent.lastIndex = string + 1;
  const end = string + 1 + (stringContent.exec(text)?.[0].length ?? 0);
  return end >= text.length || text[end] === '"' ? string : end;
}
