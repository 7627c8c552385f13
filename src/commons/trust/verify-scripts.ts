import { join } from "node:path";
import { entryAt } from "../../platform/files/entry-at.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

const names = ["_bmad", "_grimoire"].flatMap((kit) => [
  `${kit}/_config/custom/cc-verify.sh`,
  `${kit}/_config/cc-verify.sh`,
]);

/** The scripts that decide whether work is complete. */
export function verifyScripts({ folders: [root] }: TrustPlace): Runnable[] {
  return names.filter((name) => entryAt(join(root, name))).map((name) => ({ id: `script:${name}`, file: name }));
}
