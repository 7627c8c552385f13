import { compileGlob, type PathMatcher } from "../../../../commons/patterns/glob.ts";
import type { LayerRule, Policy } from "../policy.ts";

/** What a pattern is for: a layer's rule, or an invariant that counts lines. */
export type PatternUse = { source: string; rule?: LayerRule & { layer: string }; invariant?: string };
type ImportRule = { rule: LayerRule; fits: PathMatcher };
export type ScannedLayer = { name: string; fits: PathMatcher; patterns: number[]; imports: ImportRule[] };
type CountedInvariant = { name: string; fits: PathMatcher; pattern: number | undefined };

/** A policy's rules, ready to be held against files. Patterns are referred to by their number. */
export type ScanRules = {
  /** Equal for rules that find the same in the same file. */
  key: string;
  uses: PatternUse[];
  layers: ScannedLayer[];
  counted: CountedInvariant[];
  isExcluded: PathMatcher;
};

export async function prepareRules({ file, layers }: Policy): Promise<ScanRules> {
  const counting = (file.invariants ?? []).filter(({ glob }) => glob !== undefined);
  const uses: PatternUse[] = [];
  const prepared: ScannedLayer[] = [];
  for (const { name, globs, rules } of layers) {
    const layer: ScannedLayer = { name, fits: await matchAny(globs), patterns: [], imports: [] };
    for (const rule of rules) {
      if (rule.kind === "import") layer.imports.push({ rule, fits: await matchAny([rule.text]) });
      else layer.patterns.push(uses.push({ source: rule.text, rule: { ...rule, layer: name } }) - 1);
    }
    prepared.push(layer);
  }
  const counted: CountedInvariant[] = [];
  for (const { name, glob = "", pattern } of counting) {
    const number = pattern === undefined ? undefined : uses.push({ source: pattern, invariant: name }) - 1;
    counted.push({ name, fits: await matchAny([glob]), pattern: number });
  }
  const key = JSON.stringify([layers, counting]);
  return { key, uses, layers: prepared, counted, isExcluded: await matchAny(file.exclude ?? []) };
}

/** Whether any of the globs fits; a path that does not begin as a glob does is not compared. */
async function matchAny(globs: readonly string[]): Promise<PathMatcher> {
  const matchers = await Promise.all(
    globs.map(async (glob) => {
      const matches = await compileGlob(glob);
      if (typeof matches === "string") return () => false;
      const start = /^[^*?{[\\]*/.exec(glob.replace(/^\.?\//, ""))?.[0] ?? "";
      return (path: string) => path.startsWith(start) && matches(path);
    }),
  );
  return (path) => matchers.some((matches) => matches(path));
}
