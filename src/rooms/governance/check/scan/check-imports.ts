import { findImports } from "../../../../commons/code-index/imports.ts";
import type { ProjectIndex } from "../../../../commons/code-index/project-index.ts";
import { packageName, resolveImport } from "../../../../commons/code-index/resolve-import.ts";
import { spotOf } from "../../../../kernel/text/excerpt.ts";
import type { FoundInFile } from "./findings.ts";
import type { ScannedLayer } from "./scan-rules.ts";

/** More than files that people write have: a forbidden import must not hide behind others. */
const importLimits = { imports: 2_000, lines: 100_000, lineLength: 4 * 1_048_576 };

/** An import is matched as it is written, by its package's name, and by the project's file that it leads to. */
export async function checkImports(
  { path, text }: { path: string; text: string },
  layer: ScannedLayer,
  index: ProjectIndex,
  file: FoundInFile,
): Promise<void> {
  for (const specifier of findImports(path, text, importLimits)) {
    // A file can have very many imports, and a layer very many rules.
    await file.giveWay();
    const names = [specifier, packageName(path, specifier) ?? specifier, ...resolveImport(path, specifier, index)];
    const broken = layer.imports.filter(({ fits }) => names.some(fits));
    if (broken.length === 0) continue;
    const { line } = spotOf(text, findSpecifier(specifier, text));
    for (const { rule } of broken)
      file.add({ layer: layer.name, line, rule: rule.text, kind: "import", reason: rule.reason });
  }
}

/** Where it is written as a text, or else where its letters are first. */
function findSpecifier(specifier: string, text: string): number {
  const quoted = ['"', "'"].map((quote) => text.indexOf(quote + specifier + quote)).filter((at) => at !== -1);
  return quoted.length > 0 ? Math.min(...quoted) : Math.max(0, text.indexOf(specifier));
}
