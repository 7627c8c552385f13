import { compileGlob, type PathMatcher } from "../../../commons/patterns/glob.ts";
import { invalidGlob } from "./errors.ts";

/** Matches the paths that fit a pattern; all of them without one. */
export async function requireGlob(pattern: string | undefined): Promise<PathMatcher> {
  if (pattern === undefined) return () => true;
  const compiled = await compileGlob(pattern, { matchNames: true });
  if (typeof compiled === "string") throw invalidGlob(pattern, compiled);
  return compiled;
}
