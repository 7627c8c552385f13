import { valid } from "semver";
import { parseReference } from "../definitions/reference.ts";
import { brokenLockfile } from "../packages/errors.ts";
import type { Wanted } from "./install-planner.ts";
import type { Lockfile } from "./lockfile.ts";

export function want(name: string, range: string): Wanted {
  return { name, range, path: [name] };
}

/** A range is not a lock: nothing would be compared with the hash beside it. */
export function parseLocked({ name, version }: Lockfile["plugins"][number], { path }: Lockfile): Wanted {
  if (valid(version) !== version) throw brokenLockfile(path);
  return want(name, version);
}

export function parseWanted(given: string): Wanted {
  const { text: name, range } = parseReference(given);
  return { name, range, path: [name] };
}
