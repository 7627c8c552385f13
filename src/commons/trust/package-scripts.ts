import { join } from "node:path";
import * as z from "zod";
import { isRecord, tryParseJson } from "../../kernel/json.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { readPinned } from "../../platform/state/pinned-file.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

/** More would be no use to a person who has to read them. */
const maxScripts = 100;
/** They run until they are stopped, so they cannot be a check. */
const endless = /^(?:pre|post)?(?:start|dev|serve|watch)$/;

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()) });

/** The scripts in package.json: each can be a check of a ticket. A file that says nothing of the kind has none. */
export function packageScripts({ folders: [root] }: TrustPlace): Runnable[] {
  const names = [...readScripts(root).keys()].filter((name) => !endless.test(name));
  const scripts = calledScriptRunnables(root, names.sort().slice(0, maxScripts));
  return [...scripts, ...unreadManifests(root), ...listSettings(root, yarnSettings)];
}

/** They name the program that Yarn goes on as. */
export const yarnSettings = [".yarnrc", ".yarnrc.yml"];

/** Those of these files that there are. */
export function listSettings(root: string, names: readonly string[]): Runnable[] {
  const present = names.filter((name) => entryAt(join(root, name)) !== undefined);
  return present.map((name) => ({ id: `config:${name}`, file: name }));
}

/** What package managers read where there is no package.json. */
const otherManifests = ["package.json5", "package.yaml"];

/**
 * A manifest that a package manager may understand and Forge does not, such as one with comments: which scripts it has cannot be
 * told, so the whole file counts.
 */
export function unreadManifests(root: string): Runnable[] {
  const isThere = (name: string) => entryAt(join(root, name)) !== undefined;
  const names = isThere("package.json") ? ["package.json"] : otherManifests.filter(isThere);
  return hasReadableScripts(root) ? [] : names.map((name) => ({ id: `script:${name}`, file: name }));
}

function hasReadableScripts(root: string): boolean {
  const read = readManifest(root);
  return isRecord(read) && (read["scripts"] === undefined || isRecord(read["scripts"]));
}

/** Those of the scripts of package.json that are named. */
export function packageScriptRunnables(root: string, names: readonly string[]): Runnable[] {
  return toRunnables(readScripts(root), names);
}

/** Programs by which one script runs others. */
const callers = /(?:^|[\s;&|(/"'])(?:npm|pnpm|yarn|bun|npm-run-all2?|run-[sp]|concurrently|node --run)(?=\s|$)/;

/** More patterns than people write stand for all scripts: each is compared with every name. */
const maxPatterns = 100;

/**
 * The named scripts, and those that they run in turn: each that is named in the text of one that runs others, also as `npm:lint`, or by
 * a pattern such as `lint:*`.
 */
export function calledScriptRunnables(root: string, names: readonly string[]): Runnable[] {
  const scripts = readScripts(root);
  const called = new Set(names);
  const patterns = new Set<string>();
  for (const name of called) {
    const text = scripts.get(name) ?? "";
    const words = callers.test(text) ? listWords(text) : [];
    for (const other of words.flatMap((word) => findNamed(word, scripts, patterns)))
      for (const one of [`pre${other}`, other, `post${other}`]) called.add(one);
  }
  return toRunnables(scripts, [...called]);
}

/** What one word names. Those of a pattern are found once. */
function findNamed(word: string, scripts: ReadonlyMap<string, string>, patterns: Set<string>): string[] {
  const named = scripts.has(word) ? [word] : [];
  const end = word.indexOf("*");
  if (end <= 0) return named;
  const start = patterns.size < maxPatterns ? word.slice(0, end) : "";
  if (patterns.has(start)) return named;
  patterns.add(start);
  return [...named, ...[...scripts.keys()].filter((name) => name.startsWith(start))];
}

function listWords(text: string): string[] {
  return text.split(/[\s;&|()<>"'`,]+/).map((word) => word.replace(/^(?:npm|pnpm|yarn|bun|node):/, ""));
}

function readScripts(root: string): Map<string, string> {
  const parsed = manifest.safeParse(readManifest(root));
  const entries = parsed.success ? Object.entries(parsed.data.scripts) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function toRunnables(scripts: ReadonlyMap<string, string>, names: readonly string[]): Runnable[] {
  return names.flatMap((name) => {
    const script = scripts.get(name);
    return script === undefined ? [] : [{ id: `package.json:${name}`, command: ["sh", "-c", script] }];
  });
}

/** What package.json says; undefined if it cannot be read, or its link leads outside the project. */
export function readManifest(root: string): unknown {
  const folder = realPlace(root);
  const read = readPinned(join(folder, "package.json"), [folder]);
  // Package managers skip the mark that some editors write.
  return "why" in read ? undefined : tryParseJson(read.bytes.toString().replace(/^\uFEFF/, ""));
}
