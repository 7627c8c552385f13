import { visible } from "../../../../kernel/visible.ts";

/** How many characters at most stand for one that cannot be seen. */
export const maxEscapeFactor = 6;

/** Text with its lines and tabs as they are, and all that hides or reorders text written out. */
function escapeText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => line.split("\t").map(visible).join("\t")).join("\n");
}

/** A copy of data in which every text is shown so. Files of blocks were written by whoever wrote them. */
export function escapeTexts<T>(value: T): T {
  return escapeValue(value) as T;
}

function escapeValue(value: unknown): unknown {
  if (typeof value === "string") return escapeText(value);
  if (Array.isArray(value)) return value.map(escapeValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [escapeText(name), escapeValue(part)]));
}
