import { anyOf } from "../../kernel/text/closest.ts";

/** Reads a value from any source; undefined where the source says nothing of this setting, an Error where it is wrong. */
export type Reader<T> = (value: unknown) => T | undefined | Error;

export function oneOf<const T extends string>(choices: readonly T[]): Reader<T> {
  return (value) => choices.find((choice) => choice === value) ?? new Error(anyOf(choices));
}

export function readText(value: unknown): string | Error {
  return typeof value === "string" ? value : new Error("text");
}

/** A folder that does not depend on where Forge is started. `~/` is the user's home. */
export function readFolder(value: unknown): string | Error {
  const isFixed = typeof value === "string" && /^(?:~(?:\/|$)|[/\\]|[A-Za-z]:[/\\])/.test(value);
  return isFixed ? value : new Error("an absolute path, or one that starts with ~/");
}

export function readBoolean(value: unknown): boolean | Error {
  return typeof value === "boolean" ? value : new Error("true or false");
}

/** For a variable, which holds nothing but text. */
export function readSwitch(value: unknown): boolean | Error {
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (["1", "true", "yes"].includes(word)) return true;
  return ["0", "false", "no"].includes(word) ? false : new Error("1 or 0");
}

export function readPort(value: unknown): number | Error {
  const port = typeof value === "string" && /^\d{1,5}$/.test(value.trim()) ? Number(value) : value;
  if (typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  return new Error("a port from 0 to 65535");
}

/** An address that a browser or a program can go to. */
export function readAddress(value: unknown): string | Error {
  const url = typeof value === "string" && URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPlain ? String(value).trim() : new Error("an address that starts with https:// or http://");
}

export function readOrigins(value: unknown): string[] | Error {
  const given = typeof value === "string" ? value.split(",").map((origin) => origin.trim()) : value;
  const isList = Array.isArray(given) && given.every((origin) => typeof origin === "string" && isOrigin(origin));
  return isList ? given : new Error("addresses like https://board.example, separated by commas");
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text !== "null";
}

export function readDays(value: unknown): number | Error {
  const days = typeof value === "string" && /^\d{1,5}$/.test(value.trim()) ? Number(value) : value;
  if (typeof days === "number" && Number.isInteger(days) && days >= 1 && days <= 36_500) return days;
  return new Error("a number of days from 1 to 36500");
}

export function readDatabaseUrl(value: unknown): string | Error {
  const valid = typeof value === "string" && /^postgres(ql)?:\/\//.test(value) && URL.canParse(value);
  return valid ? value : new Error("an address that starts with postgres:// or postgresql://");
}

/** The variable is shared with other programs, so what is not about Forge is none of its business. */
export function readDebug(value: unknown): "debug" | undefined {
  const names = typeof value === "string" ? value.split(/[\s,]+/) : [];
  return names.some((name) => name === "*" || name === "forge" || name.startsWith("forge:")) ? "debug" : undefined;
}

export function readForceColour(value: unknown): "always" | "never" {
  return value === "0" || value === "false" ? "never" : "always";
}
