import type { ScannedFile } from "./scan-cache.ts";
import type { ScanRules } from "./scan-rules.ts";

/** The rules that are about files that were not read: layers as `boundary:NAME`, and invariants that count lines. */
export function listIncomplete(
  { layers, counted }: Pick<ScanRules, "layers" | "counted">,
  hasUnnamed: boolean,
  files: ReadonlyMap<string, ScannedFile>,
): string[] {
  const searched = counted.filter(({ pattern }) => pattern !== undefined);
  // Which rules a file without a name is about, nobody can tell.
  if (hasUnnamed) return [...layers.map(({ name }) => `boundary:${name}`), ...searched.map(({ name }) => name)];
  const names = [...files].flatMap(([file, { found }]) => {
    if (!found?.isUnread) return [];
    const own = found.layers.map((name) => `boundary:${name}`);
    return [...own, ...searched.filter(({ fits }) => fits(file)).map(({ name }) => name)];
  });
  return [...new Set(names)];
}
