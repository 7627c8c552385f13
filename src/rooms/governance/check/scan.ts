import { setImmediate as turn } from "node:timers/promises";
import { findImports } from "../../../commons/code-index/imports.ts";
import { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { packageName, resolveImport } from "../../../commons/code-index/resolve-import.ts";
import { compileGlob, type PathMatcher } from "../../../commons/patterns/glob.ts";
import { PatternSearch, PatternTimeout, type SearchedText } from "../../../platform/patterns/pattern-search.ts";
import { slowPattern } from "./errors.ts";
import { type Layer, type LayerRule, type OwnInvariant, type Policy, toJavaScript } from "./policy.ts";
import type { ProjectTree } from "./project-tree.ts";
import { findFault, isOwnLanguage, maxSyntaxBytes, type SyntaxFault, syntaxLanguage } from "./syntax/check-syntax.ts";

export type Violation = {
  layer: string;
  file: string;
  line: number;
  rule: string;
  kind: LayerRule["kind"];
  reason: string;
};

/** What one pass over a project's files found. */
export type ScanResult = {
  violations: Violation[];
  faults: SyntaxFault[];
  /** Files of languages whose syntax only their own tools can check. */
  unchecked: Map<string, string[]>;
  /** Values of the project's own invariants that count files or lines. */
  counts: Map<string, number>;
  layers: { name: string; files: number }[];
};

const batchCharacters = 2_000_000;
const maxTurnMs = 20;

type PatternUse = { source: string; layer?: { layer: Layer; rule: LayerRule }; invariant?: string };

/** Checks boundaries and syntax, and counts files and patterns, in one pass: every file is read once at most. */
export async function scanTree(tree: ProjectTree, policy: Policy, signal: AbortSignal): Promise<ScanResult> {
  const scanner = new FileScanner(tree, await prepareRules(policy), signal);
  let turned = performance.now();
  try {
    for (const path of tree.paths) {
      if (performance.now() - turned > maxTurnMs) {
        await turn();
        signal.throwIfAborted();
        turned = performance.now();
      }
      await scanner.scan(path);
    }
    return await scanner.finish();
  } finally {
    await scanner.close();
  }
}

type PreparedLayer = { layer: Layer; fits: PathMatcher; patterns: number[]; imports: ImportRule[] };
type CountedInvariant = { name: string; fits: PathMatcher; pattern: number | undefined };
type PreparedRules = {
  uses: PatternUse[];
  layers: PreparedLayer[];
  counted: CountedInvariant[];
  isExcluded: PathMatcher;
};

async function prepareRules({ file, layers }: Policy): Promise<PreparedRules> {
  const uses: PatternUse[] = [];
  const prepareLayer = async (layer: Layer): Promise<PreparedLayer> => {
    const rules = (kind: LayerRule["kind"]) => layer.rules.filter((rule) => rule.kind === kind);
    const patterns = rules("pattern").map((rule) => uses.push({ source: rule.text, layer: { layer, rule } }) - 1);
    const imports = await Promise.all(
      rules("import").map(async (rule) => ({ rule, fits: await matchAny([rule.text]) })),
    );
    return { layer, fits: await matchAny(layer.globs), patterns, imports };
  };
  const prepareCount = async ({ name, glob = "", pattern }: OwnInvariant): Promise<CountedInvariant> => {
    const number = pattern === undefined ? undefined : uses.push({ source: pattern, invariant: name }) - 1;
    return { name, fits: await matchAny([glob]), pattern: number };
  };
  return {
    uses,
    layers: await Promise.all(layers.map(prepareLayer)),
    counted: await Promise.all((file.invariants ?? []).filter(({ glob }) => glob !== undefined).map(prepareCount)),
    isExcluded: await matchAny(file.exclude ?? []),
  };
}

/** Looks at one file after the other, by every rule that it falls under. */
class FileScanner {
  readonly #tree: ProjectTree;
  readonly #rules: PreparedRules;
  readonly #index: ProjectIndex;
  readonly #batches: PatternBatches;
  readonly #filesIn = new Map<Layer, number>();
  readonly #result: ScanResult = { violations: [], faults: [], unchecked: new Map(), counts: new Map(), layers: [] };

  constructor(tree: ProjectTree, rules: PreparedRules, signal: AbortSignal) {
    this.#tree = tree;
    this.#rules = rules;
    const hasImportRules = rules.layers.some(({ imports }) => imports.length > 0);
    this.#index = new ProjectIndex(tree.paths, hasImportRules ? goModules(tree) : []);
    this.#batches = new PatternBatches(rules.uses, this.#result, signal);
    for (const { name } of rules.counted) this.#result.counts.set(name, 0);
  }

  async scan(path: string): Promise<void> {
    const patterns = this.#count(path);
    // As others do: such a file only says what a package exports.
    const layers = path.endsWith("__init__.py") ? [] : this.#rules.layers.filter(({ fits }) => fits(path));
    for (const { layer, patterns: ofLayer } of layers) {
      this.#filesIn.set(layer, (this.#filesIn.get(layer) ?? 0) + 1);
      patterns.push(...ofLayer);
    }
    const language = this.#languageOf(path);
    const withImports = layers.filter(({ imports }) => imports.length > 0);
    if (patterns.length === 0 && withImports.length === 0 && language === undefined) return;
    const text = this.#tree.text(path, maxSyntaxBytes);
    if (text === undefined) return;
    const fault = language === undefined ? undefined : await findFault(path, language, text);
    if (fault) this.#result.faults.push(fault);
    for (const { layer, imports } of withImports) checkImports(path, text, layer, imports, this.#index, this.#result);
    if (patterns.length > 0) await this.#batches.add(path, { text, patterns });
  }

  async finish(): Promise<ScanResult> {
    await this.#batches.flush();
    const { violations } = this.#result;
    violations.sort((a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.rule, b.rule));
    const layers = this.#rules.layers.map(({ layer }) => ({ name: layer.name, files: this.#filesIn.get(layer) ?? 0 }));
    return { ...this.#result, layers };
  }

  close(): Promise<void> {
    return this.#batches.close();
  }

  /** Counts the file for invariants that count files; returns the patterns of those that count lines. */
  #count(path: string): number[] {
    const { counts } = this.#result;
    const patterns: number[] = [];
    for (const { name, fits, pattern } of this.#rules.counted) {
      if (!fits(path)) continue;
      if (pattern === undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
      else patterns.push(pattern);
    }
    return patterns;
  }

  /** The language to check it in; others are left to their own tools. */
  #languageOf(path: string): string | undefined {
    const language = this.#rules.isExcluded(path) ? undefined : syntaxLanguage(path);
    if (language === undefined || isOwnLanguage(language)) return language;
    const { unchecked } = this.#result;
    const others = unchecked.get(language);
    if (others) others.push(path);
    else unchecked.set(language, [path]);
    return undefined;
  }
}

/** Sends texts to the patterns' thread, some at a time. */
class PatternBatches {
  readonly #uses: readonly PatternUse[];
  readonly #result: ScanResult;
  readonly #signal: AbortSignal;
  #search: PatternSearch | undefined;
  #paths: string[] = [];
  #texts: SearchedText[] = [];
  #characters = 0;

  constructor(uses: readonly PatternUse[], result: ScanResult, signal: AbortSignal) {
    this.#uses = uses;
    this.#result = result;
    this.#signal = signal;
  }

  async add(path: string, searched: SearchedText): Promise<void> {
    this.#paths.push(path);
    this.#texts.push(searched);
    this.#characters += searched.text.length;
    if (this.#characters >= batchCharacters) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#texts.length === 0) return;
    this.#search ??= new PatternSearch(
      this.#uses.map(({ source }) => ({ source: toJavaScript(source), flags: "gim" })),
    );
    const [paths, texts] = [this.#paths, this.#texts];
    [this.#paths, this.#texts, this.#characters] = [[], [], 0];
    try {
      for (const { text, pattern, lines, total } of await this.#search.search(texts, this.#signal))
        this.#take(paths[text] ?? "", pattern, lines, total);
    } catch (error) {
      if (error instanceof PatternTimeout)
        throw slowPattern(this.#uses[error.pattern]?.source ?? "", paths[error.text] ?? "");
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#search?.close();
  }

  #take(file: string, number: number, lines: readonly number[], total: number): void {
    const use = this.#uses[number];
    if (use?.invariant !== undefined) {
      const { counts } = this.#result;
      counts.set(use.invariant, (counts.get(use.invariant) ?? 0) + total);
    }
    if (!use?.layer) return;
    const { layer, rule } = use.layer;
    for (const line of lines)
      this.#result.violations.push({
        layer: layer.name,
        file,
        line,
        rule: rule.text,
        kind: "pattern",
        reason: rule.reason,
      });
  }
}

type ImportRule = { rule: LayerRule; fits: PathMatcher };

/** An import is matched as it is written, by its package's name, and by the project's file that it leads to. */
function checkImports(
  file: string,
  text: string,
  layer: Layer,
  rules: readonly ImportRule[],
  index: ProjectIndex,
  { violations }: ScanResult,
): void {
  for (const specifier of findImports(file, text)) {
    const names = [specifier, packageName(file, specifier) ?? specifier, ...resolveImport(file, specifier, index)];
    for (const { rule, fits } of rules) {
      if (!names.some(fits)) continue;
      const at = Math.max(0, text.indexOf(specifier));
      const line = text.slice(0, at).split("\n").length;
      violations.push({ layer: layer.name, file, line, rule: rule.text, kind: "import", reason: rule.reason });
    }
  }
}

function goModules(tree: ProjectTree): { name: string; folder: string }[] {
  return tree.paths
    .filter((path) => path === "go.mod" || path.endsWith("/go.mod"))
    .flatMap((path) => {
      const [, name] = /^module[ \t]+(\S{1,300})/m.exec(tree.text(path, maxSyntaxBytes) ?? "") ?? [];
      return name === undefined ? [] : [{ name, folder: path.slice(0, Math.max(0, path.length - "/go.mod".length)) }];
    });
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
