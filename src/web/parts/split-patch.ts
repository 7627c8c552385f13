export type FilePatch = { path: string; added: number; removed: number; lines: string[] };

/** A patch of git, file by file. */
export function splitPatch(patch: string): FilePatch[] {
  const files: FilePatch[] = [];
  let isHeader = true;
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) {
      const path = line.slice(line.lastIndexOf(" b/") + 3);
      files.push({ path, added: 0, removed: 0, lines: [] });
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
