import { type Json, type JsonObject, readJson } from "../../../../commons/json/ordered-json.ts";
import { excerpt, spotOf } from "../../../../kernel/text/excerpt.ts";
import { invalidBlocksFile } from "../model/errors.ts";

export { type Json, type JsonObject, printJson } from "../../../../commons/json/ordered-json.ts";

const limits = { depth: 64, parts: 2_000_000 };

/** The value, and the line in which each object and list begins. */
export type ParsedJson = { value: Json; lineOf(part: Json): number | undefined };

/** Throws with the place. */
export function parseJson(text: string, source: string): ParsedJson {
  const read = readJson(text, limits);
  if ("fault" in read) {
    const { offset, what, expected } = read.fault;
    const here = text.slice(offset, offset + 20).trim();
    const found = here === "" ? what : `${what}: ${excerpt(here)}`;
    throw invalidBlocksFile({ source, ...spotOf(text, offset), what: found, expected });
  }
  const { value, offsetOf } = read;
  return {
    value,
    lineOf(part) {
      const offset = offsetOf(part);
      return offset === undefined ? undefined : spotOf(text, offset).line;
    },
  };
}

/** A text that this program wrote itself. */
export function parseOwn(text: string): JsonObject {
  const { value } = parseJson(text, "the store");
  return value instanceof Map ? value : new Map();
}
