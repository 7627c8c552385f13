import { visible } from "../../../../kernel/visible.ts";

/** How many characters at most stand for one that cannot be seen. */
export const widest = 6;

/** Text with its lines and tabs as they are, and all that hides or reorders text written out. */
function shownText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => line.split("\t").map(visible).join("\t")).join("\n");
}

/** A copy of data in which every text is shown so. Files of blocks were written by whoever wrote them. */
export function shown<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value === "string") return shownText(value);
  if (Array.isArray(value)) return value.map(copy);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [shownText(name), copy(part)]));
}
