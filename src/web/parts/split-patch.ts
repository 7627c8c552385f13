export type FilePatch = { path: string; added: number; removed: number; lines: string[] };

/** A patch of git, file by file. */
export function splitPatch(patch: string): FilePatch[] {
  const files: FilePatch[] = [];
  let isHeader = true;
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) {
      files.push({ path: pathIn(line.slice("diff --git ".length)), added: 0, removed: 0, lines: [] });
      isHeader = true;
      continue;
    }
    const file = files.at(-1);
    if (!file) continue;
    if (line.startsWith("@@")) isHeader = false;
    if (isHeader && !/^(new file|deleted file|rename|Binary|GIT binary)/.test(line)) continue;
    if (!isHeader && line.startsWith("+")) file.added++;
    if (!isHeader && line.startsWith("-")) file.removed++;
    file.lines.push(line);
  }
  return files;
}

/** `a/PATH b/PATH`. The path may contain ` b/` itself; the two differ only where a file was renamed. Git quotes unusual names. */
function pathIn(names: string): string {
  const quoted = names.endsWith('"') ? names.lastIndexOf(' "b/') : -1;
  if (quoted !== -1) return names.slice(quoted + ' "b/'.length, -1);
  const half = (names.length - 1) / 2;
  const [before, after] = [names.slice(0, half), names.slice(half + 1)];
  if (before.slice(1) === after.slice(1)) return after.slice(2);
  return names.slice(names.lastIndexOf(" b/") + 3);
}
