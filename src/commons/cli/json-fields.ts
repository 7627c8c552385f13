import { isRecord } from "../../kernel/json.ts";

/** The fields of a JSON object; none for anything else. */
export function fields(value: unknown): Record<string, unknown> {
  return isRecord(value) ? { ...value } : {};
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
