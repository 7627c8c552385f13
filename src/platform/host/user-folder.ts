import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";

/**
 * The user's home. `HOME` may be empty or relative, and what is then found in the current folder is a project's, not the
 * user's: the system's own record counts in its place.
 */
export function userHome(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  const recorded = homeOfRecord();
  if (recorded !== undefined && isAbsolute(recorded)) return recorded;
  throw new ForgeError("CONFIG_ERROR", "Your home folder is not known: HOME is not an absolute path.", {
    next: ["Set HOME to the absolute path of your home folder."],
  });
}

/** A place in the user's own `~/.forge`, which no project can write to. */
export function userPath(...names: string[]): string {
  return join(userHome(), ".forge", ...names);
}

/** The path with `~/` at its start replaced by the user's home. */
export function expandHome(path: string): string {
  return /^~(?=\/|$)/.test(path) ? join(userHome(), path.slice(1)) : path;
}

/** The system may have no record of us, as in a container that runs under a bare number. */
function homeOfRecord(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
