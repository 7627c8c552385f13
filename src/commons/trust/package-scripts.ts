import { join } from "node:path";
import * as z from "zod";
import { realPlace } from "../../platform/files/real-place.ts";
import { readPinned } from "../../platform/state/pinned-file.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

/** With what npm runs before and after them. */
const names = ["test", "build"].flatMap((name) => [`pre${name}`, name, `post${name}`]);

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()) });

/** The commands in package.json that test and build. A file that says nothing of the kind has none. */
export function packageScripts({ folders: [root] }: TrustPlace): Runnable[] {
  return packageScriptRunnables(root, names);
}

/** Those of the named scripts that package.json has. */
export function packageScriptRunnables(root: string, names: readonly string[]): Runnable[] {
  const parsed = manifest.safeParse(readManifest(root));
  if (!parsed.success) return [];
  return names.flatMap((name) => {
    const script = Object.hasOwn(parsed.data.scripts, name) ? parsed.data.scripts[name] : undefined;
    return typeof script === "string" ? [{ id: `package.json:${name}`, command: ["sh", "-c", script] }] : [];
  });
}

/** What package.json says; undefined if it cannot be read, or its link leads outside the project. */
export function readManifest(root: string): unknown {
  const folder = realPlace(root);
  const read = readPinned(join(folder, "package.json"), [folder]);
  return "why" in read ? undefined : json(read.bytes.toString());
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
