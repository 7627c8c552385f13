import { join } from "node:path";
import { isRecord } from "../../kernel/json.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { readPinned } from "../../platform/state/pinned-file.ts";
import { listCommandRunnables } from "../test-runs/project/configured-commands.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

const file = "Forge/invariants.json";

/** What a person must have trusted for a project's own invariant to be measured by its command. */
export function invariantRunnables(root: string, name: string, words: readonly string[]): Runnable[] {
  return listCommandRunnables(root, `invariant:${name}`, words);
}

/** The commands that measure a project's invariants. A file that cannot be understood names none. */
export function invariantCommands({ folders: [root] }: TrustPlace): Runnable[] {
  return definitionsIn(root).flatMap(({ name, command }) =>
    typeof name === "string" && isWords(command) ? invariantRunnables(root, name, command) : [],
  );
}

function definitionsIn(root: string): Record<string, unknown>[] {
  try {
    const folder = realPlace(root);
    const read = readPinned(join(folder, file), [folder]);
    const policy: unknown = "why" in read ? {} : JSON.parse(read.bytes.toString());
    const list = isRecord(policy) ? policy["invariants"] : undefined;
    return Array.isArray(list) ? list.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string" && word !== "");
}
