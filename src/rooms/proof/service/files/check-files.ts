import { join } from "node:path";
import type { Check } from "../../../../commons/evidence/checks.ts";
import { listCheckRunnables } from "../../../../commons/test-runs/project/configured-commands.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { removePrivateFile } from "../../../../platform/files/write/private-file.ts";
import { isManifest, withSettingsOf } from "./manifest-settings.ts";

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
async function copyFiles(from: string, to: string, files: readonly string[]): Promise<void> {
  // Both are Forge's own work trees, and a test may need files of any name.
  const [source, target] = [SafeRoot.at(from, { isOwn: true }), SafeRoot.at(to, { isOwn: true })];
  for (const file of new Set(files)) {
    const found = await source.stat(file);
    // Larger ones, such as recordings, are not tests.
    if (found?.kind !== "file" || found.bytes > maxBytes) continue;
    const { bytes } = await source.read(file);
    await target.write(file, bytes);
  }
}

/** The same for files as they were before; of a package.json, only its settings for runners and linters. */
export async function restoreFiles(from: string, to: string, files: readonly string[]): Promise<void> {
  await copyFiles(
    from,
    to,
    files.filter((file) => !isManifest(file)),
  );
  const [source, target] = [new TestProject(from), new TestProject(to)];
  for (const file of new Set(files.filter(isManifest))) {
    const text = withSettingsOf(target.readText(file) ?? "", source.readText(file) ?? "");
    // It may be a link, which is not written through.
    await removePrivateFile(join(to, file));
    await SafeRoot.at(to, { isOwn: true }).write(file, Buffer.from(text));
  }
}

export async function removeFiles(root: string, files: readonly string[]): Promise<void> {
  for (const file of new Set(files)) await removePrivateFile(join(root, file));
}
