import { isRecord } from "../../../../kernel/json.ts";
import type { Fields } from "../types.ts";

const maxListed = 1_000;
const maxLine = 1_000;

/** A text that says something; numbers count, since YAML makes one of `version: 1.0`. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

export function recordIn(fields: Fields, name: string): Fields | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return isRecord(value) ? value : undefined;
}

/** A list of names: texts, objects with a name, or one text with commas. */
export function namesIn(fields: Fields, name: string): string[] | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value === "string") return splitCommas(value).slice(0, maxListed).map(shorten);
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, maxListed).flatMap((item) => {
    if (typeof item === "string") return item.trim() === "" ? [] : [shorten(item.trim())];
    const named = isRecord(item) ? textIn(item, "name") : undefined;
    return named === undefined ? [] : [shorten(named)];
  });
}

function shorten(text: string): string {
  return text.slice(0, maxLine);
}

/** A text for one line of an answer, however long its author made it. */
export function lineIn(fields: Fields, name: string): string | undefined {
  return textIn(fields, name)?.slice(0, maxLine);
}

/** Commas inside brackets belong to a name: `Bash(git add:*, git commit:*)`. */
function splitCommas(text: string): string[] {
  return (text.match(/(?:[^,()]|\([^()]*\))+/g) ?? []).map((word) => word.trim()).filter((word) => word !== "");
}

/** A person may be a text or an object with a name. */
export function authorIn(fields: Fields): string | undefined {
  return lineIn(fields, "author") ?? lineIn(recordIn(fields, "author") ?? {}, "name");
}

type Defined<T> = { [key in keyof T]: Exclude<T[key], undefined> };

/** An answer has only the fields that are known. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
}
