import { setImmediate as breathe } from "node:timers/promises";
import { findImports } from "../../code-index/imports.ts";
import { readJavaScriptNames } from "../../code-index/javascript-names.ts";
import { detectLanguage } from "../../code-index/languages.ts";
import { bareName, ProjectIndex } from "../../code-index/project-index.ts";
import { resolveImport } from "../../code-index/resolve-import.ts";
import type { TestProject } from "../project/test-project.ts";

const maxFiles = 5_000;
const filesPerTurn = 200;

/** The tests that reach one of these files through imports, or have its name. */
export async function findRelatedTests(
  project: TestProject,
  sources: readonly string[],
  isTest: (path: string) => boolean,
): Promise<string[]> {
  const files = await project.listFiles();
  const javaScript = await readJavaScriptNames(files, (path) => project.readText(path));
  const index = new ProjectIndex(files.filter(hasImports), { javaScript });
  const importers = new Map<string, string[]>();
  for (const [count, file] of index.files.slice(0, maxFiles).entries()) {
    for (const imported of listImportedFiles(project, file, index)) {
      const list = importers.get(imported) ?? [];
      importers.set(imported, list);
      list.push(file);
    }
    if (count % filesPerTurn === filesPerTurn - 1) await breathe();
  }
  const reached = new Set(sources);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  const names = new Set(sources.map(bareName));
  return index.files.filter((path) => isTest(path) && (reached.has(path) || names.has(bareName(path))));
}

function hasImports(path: string): boolean {
  const ecosystem = detectLanguage(path)?.ecosystem;
  return ecosystem === "javascript" || ecosystem === "python";
}

function listImportedFiles(project: TestProject, file: string, index: ProjectIndex): string[] {
  const imports = findImports(file, project.readText(file) ?? "");
  return imports.flatMap((specifier) => [...resolveImport(file, specifier, index)]);
}
