import type { Source } from "./plan.ts";

const maxFiles = 15;
const maxLevels = 4;

/** Folders with too many source files, or too deep (paths relative to src/). */
export function folderBreaches(sources: Pick<Source, "path">[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, files]) => [
    ...(files > maxFiles ? [`src/${folder} has ${files} source files; at most ${maxFiles}: group them by noun`] : []),
    ...(folder.split("/").length > maxLevels ? [`src/${folder} is deeper than ${maxLevels} levels`] : []),
  ]);
}
