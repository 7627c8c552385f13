import { readlinkSync } from "node:fs";
import { join, posix } from "node:path";
import { exactText } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import { indexEntries, symbolicLink } from "./tree-entries.ts";

/** A link and where it leads, both from the work tree's root. */
export type TrackedLink = { path: string; target: string };

/** The links that git tracks and that lead to a place in the work tree, whether there is something or not. */
export async function listTrackedLinks(runner: GitRunner, signal: AbortSignal): Promise<TrackedLink[]> {
  const entries = await indexEntries(runner, signal);
  return entries.flatMap(({ mode, name }) => {
    const path = mode === symbolicLink ? exactText(name) : undefined;
    const said = path === undefined ? undefined : readLink(join(runner.location.workTree, path));
    if (path === undefined || said === undefined || posix.isAbsolute(said)) return [];
    const target = posix.join(posix.dirname(path), said).replace(/\/$/, "");
    return target === ".." || target.startsWith("../") ? [] : [{ path, target }];
  });
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It was removed, or replaced by a file.
    return undefined;
  }
}
