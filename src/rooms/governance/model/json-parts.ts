import { isRecord } from "../../../kernel/json.ts";

/** Parts of files that people write: what is not as expected counts as empty. */

export function tableOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
