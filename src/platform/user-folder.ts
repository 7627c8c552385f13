import { homedir } from "node:os";
import { join } from "node:path";

/** A place in the user's own `~/.forge`, which no project can write to. */
export function userPath(...names: string[]): string {
  return join(homedir(), ".forge", ...names);
}
