import { findImports } from "../../../../commons/code-index/imports.ts";
import type { ProjectIndex } from "../../../../commons/code-index/project-index.ts";
import { packageName, resolveImport } from "../../../../commons/code-index/resolve-import.ts";
import { spotOf } from "../../../../kernel/text/excerpt.ts";
import type { Pace } from "./pace.ts";
import type { FileFindings } from "./scan-cache.ts";
import type { ScannedLayer } from "./scan-rules.ts";

/** More than files that people write have: a forbidden import must not hide behind others. */
const importLimits = { imports: 2_000, lines: 100_000 };

type Searched = { file: string; text: string; index: ProjectIndex; maxBytes: number };

/** An import is matched as it is written, by its package's name, and by the project's file that it leads to. */
export async function checkImports(
  { file, text, index, maxBytes }: Searched,
  layers: readonly ScannedLayer[],
  found: FileFindings,
  pace: Pace,
): Promise<void> {
  for (const specifier of findImports(file, text, { ...importLimits, lineLength: maxBytes })) {
    const names = [specifier, packageName(file, specifier) ?? specifier, ...resolveImport(file, specifier, index)];
    let line: number | undefined;
    for (const { name: layer, imports } of layers)
      for (const { rule, fits } of imports) {
        const rest = pace.rest();
        if (rest) await rest;
        if (!names.some(fits)) continue;
        line ??= spotOf(text, findSpecifier(specifier, text)).line;
        pace.count(1);
        found.violations.push({ layer, line, rule: rule.text, kind: "import", reason: rule.reason });
      }
  }
}

/** Where it is written as a text, or else where its letters are first. */
function findSpecifier(specifier: string, text: string): number {
  const quoted = ['"', "'"].map((quote) => text.indexOf(quote + specifier + quote)).filter((at) => at !== -1);
  return quoted.length > 0 ? Math.min(...quoted) : Math.max(0, text.indexOf(specifier));
}
