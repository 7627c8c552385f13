import { ForgeError } from "../../../kernel/errors.ts";
import { showPath } from "./relative-path.ts";

/**
 * Whether a file was installed or fetched by the registry. It was written by others, who are not the authors of the project:
 * trusting the project says nothing about it. Also of a text that names such a file.
 */
export function isInstalled(path: string): boolean {
  return /(?:^|[\\/\s"'`(=:])\.fractary[\\/](?:registry|plugins)[\\/]/i.test(path);
}

/**
 * Throws where a path of the project's own leads by a link to what was installed. Most readers keep or pass on what they find as the
 * project's text, long after they have forgotten where it was.
 */
export function assertNotInstalled(names: readonly string[], found: readonly string[]): void {
  const path = names.join("/");
  if (isInstalled(path) || !isInstalled(`${found.join("/")}/`)) return;
  throw new ForgeError("PERMISSION_DENIED", `${showPath(path)} leads by a link to what the registry installed.`, {
    details: { path },
    next: ["Put a copy in its place, which is then the project's own text."],
  });
}
