import { join } from "node:path";
import type { Check } from "../../../../commons/evidence/checks.ts";
import { listCheckRunnables } from "../../../../commons/test-runs/project/configured-commands.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { removePrivateFile } from "../../../../platform/files/write/private-file.ts";

const maxBytes = 10 * 1_048_576;

/** The files that say what a check does: the test's own, or what a command runs of the project. */
export function filesOfCheck(root: string, { how }: Check): string[] {
  if (how.type === "test") return [how.file];
  if (!("command" in how)) return [];
  return listCheckRunnables(root, how.command).map(({ file }) => file ?? "package.json");
}

/** The test files of checks, from one tree into another. */
export async function copyTests(from: string, to: string, checks: readonly Check[]): Promise<void> {
  await copyFiles(
    from,
    to,
    checks.flatMap(({ how }) => (how.type === "test" ? [how.file] : [])),
  );
}

/** Those of the files that there are. */
export async function copyFiles(from: string, to: string, files: readonly string[]): Promise<void> {
  const [source, target] = [SafeRoot.at(from), SafeRoot.at(to)];
  for (const file of new Set(files)) {
    const found = await source.stat(file);
    // Larger ones, such as recordings, are not tests.
    if (found?.kind !== "file" || found.bytes > maxBytes) continue;
    const { bytes } = await source.read(file);
    await target.write(file, bytes);
  }
}

export async function removeFiles(root: string, files: readonly string[]): Promise<void> {
  for (const file of new Set(files)) await removePrivateFile(join(root, file));
}
