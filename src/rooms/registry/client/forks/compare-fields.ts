import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../../kernel/json.ts";
import type { FieldChange, Fields } from "../types.ts";

/** What a fork says about itself is not a difference from its upstream. */
const ownFields = new Set(["fork_of", "fork", "name", "extends"]);
const maxDepth = 6;

export type FieldPath = readonly string[];

/** Every value by its path: objects fall apart into their fields, lists stay together. */
export function flatten(fields: Fields, path: FieldPath = []): Map<string, { path: FieldPath; value: unknown }> {
  const flat = new Map<string, { path: FieldPath; value: unknown }>();
  for (const [name, value] of Object.entries(fields)) {
    if (path.length === 0 && (ownFields.has(name) || value === undefined)) continue;
    const here = [...path, name];
    if (isRecord(value) && Object.keys(value).length > 0 && path.length < maxDepth)
      for (const [key, inner] of flatten(value, here)) flat.set(key, inner);
    else flat.set(JSON.stringify(here), { path: here, value });
  }
  return flat;
}

/** How a fork differs from what it was made of. */
export function compareFields(upstream: Fields, local: Fields): FieldChange[] {
  const [before, after] = [flatten(upstream), flatten(local)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key): FieldChange[] => {
    const [old, now] = [before.get(key), after.get(key)];
    const field = (old ?? now)?.path.join(".") ?? "";
    if (!old) return [{ field, local: now?.value, changeType: "added" }];
    if (!now) return [{ field, upstream: old.value, changeType: "removed" }];
    return isSame(old.value, now.value)
      ? []
      : [{ field, local: now.value, upstream: old.value, changeType: "modified" }];
  });
}

/** Blank space around a text says nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a.trim() === b.trim();
  return isDeepStrictEqual(a, b);
}
