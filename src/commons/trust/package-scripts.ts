import { join } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../../kernel/json.ts";
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
  return packageScriptRunnables(root).filter(({ id }) => !endless.test(id.slice("package.json:".length)));
}

/** The scripts of package.json, or those of them that are named. */
export function packageScriptRunnables(root: string, only?: readonly string[]): Runnable[] {
  const parsed = manifest.safeParse(readManifest(root));
  if (!parsed.success) return [];
  const names = only ?? Object.keys(parsed.data.scripts).sort().slice(0, maxScripts);
  return names.flatMap((name) => {
    const script = Object.hasOwn(parsed.data.scripts, name) ? parsed.data.scripts[name] : undefined;
    return typeof script === "string" ? [{ id: `package.json:${name}`, command: ["sh", "-c", script] }] : [];
  });
}

/** What package.json says; undefined if it cannot be read, or its link leads outside the project. */
export function readManifest(root: string): unknown {
  const folder = realPlace(root);
  const read = readPinned(join(folder, "package.json"), [folder]);
  return "why" in read ? undefined : tryParseJson(read.bytes.toString());
}
