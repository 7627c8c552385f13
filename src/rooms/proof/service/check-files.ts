import type { Check } from "../../../commons/evidence/checks.ts";
import { listCheckRunnables } from "../../../commons/test-runs/project/configured-commands.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";

/** The files that say what a check does: the test's own, or what a command runs of the project. */
export function filesOfCheck(root: string, { how }: Check): string[] {
  if (how.type === "test") return [how.file];
  if (!("command" in how)) return [];
  return listCheckRunnables(root, how.command).map(({ file }) => file ?? "package.json");
}

/** The test files of checks, from one tree into another. */
export async function copyTests(from: string, to: string, checks: readonly Check[]): Promise<void> {
  const [source, target] = [SafeRoot.at(from), SafeRoot.at(to)];
  const files = new Set(checks.flatMap(({ how }) => (how.type === "test" ? [how.file] : [])));
  for (const file of files) {
    if ((await source.stat(file))?.kind !== "file") continue;
    const { bytes } = await source.read(file);
    await target.write(file, bytes);
  }
}
