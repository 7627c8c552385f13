import type { Check } from "../../../../commons/evidence/checks.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import { findImported, type Imported } from "./find-imported.ts";

const maxFiles = 500;

export type Dependencies = {
  /** Undefined: the complete tree. */
  files: string[] | undefined;
  /** What a test imports; undefined if that is not known. */
  imported?: Imported;
};

/**
 * The files that a check's result depends on: its own, what it imports, and what the ticket names and changed. Where that is not
 * known, as for a command, or is too much to list, it depends on the complete tree.
 */
export async function findDependencies(
  root: string,
  check: Check,
  { looked, named }: { looked: readonly string[]; named: readonly string[] },
): Promise<Dependencies> {
  const { how } = check;
  if (how.type === "file") return { files: limit([...looked, ...named]) };
  if (how.type !== "test") return { files: undefined };
  const imported = await findImported(new TestProject(root), how.file, maxFiles);
  return imported ? { files: limit([...imported.keys(), ...named]), imported } : { files: undefined };
}

function limit(paths: readonly string[]): string[] | undefined {
  const files = [...new Set(paths)];
  return files.length > maxFiles ? undefined : files;
}
