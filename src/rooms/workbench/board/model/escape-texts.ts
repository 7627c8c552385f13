import { visible } from "../../../../kernel/text/visible.ts";

/** An invisible character becomes at most this many characters. */
export const maxEscapeFactor = 6;

/** Keeps lines and tabs; characters that hide or reorder text are written out. */
function escapeText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => line.split("\t").map(visible).join("\t")).join("\n");
}

/** A copy of data with every text escaped: files of blocks may come from anyone. */
export function escapeTexts<T>(value: T): T {
  return escapeValue(value) as T;
}

function escapeValue(value: unknown): unknown {
  if (typeof value === "string") return escapeText(value);
  if (Array.isArray(value)) return value.map(escapeValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [escapeText(name), escapeValue(part)]));
}
