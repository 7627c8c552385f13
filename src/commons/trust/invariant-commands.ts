import { join } from "node:path";
import { isRecord } from "../../kernel/json.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { readPinned } from "../../platform/state/pinned-file.ts";
import { listCommandRunnables } from "../test-runs/project/configured-commands.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

export const invariantsFile = "Forge/invariants.json";

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

/** The command that measures an invariant, by the text of the file that defines it. */
export function findInvariantCommand(text: string | undefined, name: string): string[] | undefined {
  const found = parseDefinitions(text).find((one) => one["name"] === name)?.["command"];
  return isWords(found) ? found : undefined;
}

function definitionsIn(root: string): Record<string, unknown>[] {
  try {
    const folder = realPlace(root);
    const read = readPinned(join(folder, invariantsFile), [folder]);
    return "why" in read ? [] : parseDefinitions(read.bytes.toString());
  } catch {
    return [];
  }
}

function parseDefinitions(text: string | undefined): Record<string, unknown>[] {
  try {
    const policy: unknown = JSON.parse(text ?? "{}");
    const list = isRecord(policy) ? policy["invariants"] : undefined;
    return Array.isArray(list) ? list.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string" && word !== "");
}
