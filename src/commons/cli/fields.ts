import { isRecord } from "../../kernel/json.ts";

/** The value at a path of a tool's input: `status`, `options.isolation`. */
export function fieldAt(input: Record<string, unknown>, path: string): unknown {
  const [first = "", rest] = split(path);
  const value = input[first];
  if (rest === undefined) return value;
  return isRecord(value) ? fieldAt(value, rest) : undefined;
}

/** The input with a value at a path; what is beside it stays. */
export function withField(input: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [first = "", rest] = split(path);
  const inner = input[first];
  return { ...input, [first]: rest === undefined ? value : withField(isRecord(inner) ? inner : {}, rest, value) };
}

function split(path: string): [string, string?] {
  const at = path.indexOf(".");
  return at < 0 ? [path] : [path.slice(0, at), path.slice(at + 1)];
}
