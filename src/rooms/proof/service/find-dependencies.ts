import { findImports } from "../../../commons/code-index/imports.ts";
import { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { resolveImport } from "../../../commons/code-index/resolve-import.ts";
import type { Check } from "../../../commons/evidence/checks.ts";
import { TestProject } from "../../../commons/test-runs/project/test-project.ts";

const maxFiles = 500;

/**
 * The files that a check's result depends on: its own, what it imports, and what the ticket names and changed. Undefined for a
 * command, of which nothing is known: it depends on the complete tree.
 */
export async function findDependencies(
  root: string,
  check: Check,
  { looked, named }: { looked: readonly string[]; named: readonly string[] },
): Promise<string[] | undefined> {
  const { how } = check;
  if (how.type === "file") return [...new Set([...looked, ...named])].slice(0, maxFiles);
  if (how.type !== "test") return undefined;
  const project = new TestProject(root);
  const index = new ProjectIndex(await project.listFiles());
  const found = new Set([how.file]);
  for (const file of found) {
    if (found.size >= maxFiles) break;
    for (const specifier of findImports(file, project.readText(file) ?? ""))
      for (const path of resolveImport(file, specifier, index)) found.add(path);
  }
  return [...new Set([...found, ...named])].slice(0, maxFiles);
}
