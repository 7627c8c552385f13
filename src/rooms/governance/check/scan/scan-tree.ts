import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { fileName, ProjectIndex } from "../../../../commons/code-index/project-index.ts";
import {
  PatternFlood,
  PatternSearch,
  PatternTimeout,
  type SearchedText,
} from "../../../../platform/patterns/pattern-search.ts";
import { maxFindings } from "../../model/check-schemas.ts";
import { slowPattern, tooManyViolations } from "../errors.ts";
import { type LayerRule, type Policy, toJavaScript } from "../policy.ts";
import type { ProjectTree } from "../project-tree.ts";
import { isOwnLanguage, maxSyntaxBytes, type SyntaxFault, syntaxLanguage } from "../syntax/check-syntax.ts";
import { SyntaxBatches } from "../syntax/syntax-batches.ts";
import { checkImports } from "./check-imports.ts";
import { listIncomplete } from "./list-incomplete.ts";
import { Pace } from "./pace.ts";
import type { FileFindings, ScanCache, ScannedFile } from "./scan-cache.ts";
import { type PatternUse, prepareRules, type ScannedLayer, type ScanRules } from "./scan-rules.ts";

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
  /** Source code that a rule is about, and that could not be read. */
  unread: string[];
  /** The rules that are about such files: layers as `boundary:NAME`, and invariants that count lines. */
  incomplete: string[];
  layers: { name: string; files: number }[];
};

/** More than source code has. What is larger is reported, so that nothing hides in it. */
const maxSearchedBytes = 4 * 1_048_576;
const batch = { characters: 2_000_000, texts: 500 };

/** Checks boundaries and syntax, and counts files and patterns, in one pass. Only files that have changed are read. */
export async function scanTree(
  tree: ProjectTree,
  policy: Policy,
  cache: ScanCache,
  signal: AbortSignal,
): Promise<ScanResult> {
  const rules = await prepareRules(policy);
  const hasImportRules = rules.layers.some(({ imports }) => imports.length > 0);
  const index = new ProjectIndex(tree.paths, hasImportRules ? { goModules: goModules(tree) } : {});
  // Where an import leads depends on which files there are.
  const places = hasImportRules ? JSON.stringify([index.goModules, tree.paths]) : "";
  const pace = new Pace(signal);
  const scanner = new FileScanner(tree, rules, { index, known: cache.open(rules.key + places), signal, pace });
  try {
    for (const path of tree.paths) {
      const rest = pace.rest();
      if (rest) await rest;
      // Most files are known.
      const reading = scanner.scan(path);
      if (reading) await reading;
    }
    const { files, hasNews } = await scanner.finish();
    cache.save(files, hasNews);
    return scanner.result();
  } finally {
    await scanner.close();
  }
}

type ScanPlace = { index: ProjectIndex; known: ReadonlyMap<string, ScannedFile>; signal: AbortSignal; pace: Pace };

/** Looks at one file after the other, by every rule that it falls under. */
class FileScanner {
  readonly #tree: ProjectTree;
  readonly #rules: ScanRules;
  readonly #known: ReadonlyMap<string, ScannedFile>;
  readonly #index: ProjectIndex;
  readonly #batches: PatternBatches;
  readonly #syntax: SyntaxBatches;
  readonly #pace: Pace;
  readonly #files = new Map<string, ScannedFile>();
  readonly #unchecked = new Map<string, string[]>();
  #hasNews = false;

  constructor(tree: ProjectTree, rules: ScanRules, { index, known, signal, pace }: ScanPlace) {
    this.#tree = tree;
    this.#rules = rules;
    this.#known = known;
    this.#index = index;
    this.#pace = pace;
    this.#batches = new PatternBatches(rules.uses, pace, signal);
    this.#syntax = new SyntaxBatches(signal);
  }

  /** Undefined where the file is known already. */
  scan(path: string): Promise<void> | undefined {
    const language = this.#languageOf(path);
    const stamp = this.#tree.stampOf(path);
    const known = this.#known.get(path);
    const { fault, found }: Partial<ScannedFile> = known?.stamp === stamp ? (known ?? {}) : {};
    if (known && found && (language === undefined || fault !== undefined)) {
      this.#pace.count(found.violations.length);
      this.#files.set(path, known);
      return undefined;
    }
    return this.#read(path, { stamp, ...(fault !== undefined && { fault }), ...(found && { found }) }, language);
  }

  async #read(path: string, file: ScannedFile, language: string | undefined): Promise<void> {
    this.#hasNews = true;
    this.#files.set(path, file);
    const found: FileFindings = file.found ?? { layers: [], counts: {}, violations: [] };
    const patterns: number[] = [];
    const withImports: ScannedLayer[] = [];
    if (!file.found) this.#applyRules(path, found, patterns, withImports);
    file.found = found;
    const needsParse = language !== undefined && file.fault === undefined;
    const hasRules = patterns.length > 0 || withImports.length > 0;
    if (!hasRules && !needsParse) return;
    const { text, isText } = this.#tree.readForSearch(path, hasRules ? maxSearchedBytes : maxSyntaxBytes) ?? {};
    if (needsParse) file.fault = null;
    if (text === undefined && hasRules && detectLanguage(path)) found.isUnread = true;
    if (text === undefined) return;
    if (needsParse && isText && text.length <= maxSyntaxBytes)
      await this.#syntax.add({
        ...{ path, language, text },
        done: (fault) => {
          file.fault = fault ?? null;
        },
      });
    const searched = { file: path, text, index: this.#index, maxBytes: maxSearchedBytes };
    if (withImports.length > 0) await checkImports(searched, withImports, found, this.#pace);
    if (patterns.length > 0) await this.#batches.add(path, found, { text, patterns });
  }

  #applyRules(path: string, found: FileFindings, patterns: number[], withImports: ScannedLayer[]): void {
    for (const { name, fits, pattern } of this.#rules.counted) {
      if (!fits(path)) continue;
      if (pattern === undefined) found.counts[name] = 1;
      else patterns.push(pattern);
    }
    // As others do: such a file only says what a package exports.
    if (fileName(path) === "__init__.py") return;
    for (const layer of this.#rules.layers) {
      if (!layer.fits(path)) continue;
      found.layers.push(layer.name);
      patterns.push(...layer.patterns);
      if (layer.imports.length > 0) withImports.push(layer);
    }
  }

  async finish(): Promise<{ files: Map<string, ScannedFile>; hasNews: boolean }> {
    await this.#syntax.flush();
    await this.#batches.flush();
    const settled = [...this.#files].filter(([path]) => this.#tree.isSettled(path));
    return { files: new Map(settled), hasNews: this.#hasNews };
  }

  result(): ScanResult {
    const counts = new Map(this.#rules.counted.map(({ name }) => [name, 0]));
    const filesIn = new Map(this.#rules.layers.map(({ name }) => [name, 0]));
    const [violations, faults, unread]: [Violation[], SyntaxFault[], string[]] = [[], [], [...this.#tree.unnamed]];
    for (const [file, { fault, found }] of this.#files) {
      if (fault && !this.#rules.isExcluded(file)) faults.push({ file, ...fault });
      if (!found) continue;
      if (found.isUnread) unread.push(file);
      for (const name of found.layers) filesIn.set(name, (filesIn.get(name) ?? 0) + 1);
      for (const [name, count] of Object.entries(found.counts)) counts.set(name, (counts.get(name) ?? 0) + count);
      for (const violation of found.violations) violations.push({ file, ...violation });
    }
    violations.sort((a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.rule, b.rule));
    const layers = [...filesIn].map(([name, files]) => ({ name, files }));
    return {
      violations,
      faults,
      unchecked: this.#unchecked,
      counts,
      unread,
      incomplete: listIncomplete(this.#rules, this.#tree.unnamed.length > 0, this.#files),
      layers,
    };
  }

  close(): Promise<void> {
    return this.#batches.close();
  }

  /** The language to check it in; others are left to their own tools. */
  #languageOf(path: string): string | undefined {
    const language = syntaxLanguage(path);
    if (language === undefined || this.#rules.isExcluded(path)) return undefined;
    if (isOwnLanguage(language)) return language;
    const others = this.#unchecked.get(language);
    if (others) others.push(path);
    else this.#unchecked.set(language, [path]);
    return undefined;
  }
}

/** Sends texts to the patterns' thread, some at a time. */
class PatternBatches {
  readonly #uses: readonly PatternUse[];
  readonly #pace: Pace;
  readonly #signal: AbortSignal;
  #search: PatternSearch | undefined;
  #files: { path: string; found: FileFindings }[] = [];
  #texts: SearchedText[] = [];
  #characters = 0;

  constructor(uses: readonly PatternUse[], pace: Pace, signal: AbortSignal) {
    this.#uses = uses;
    this.#pace = pace;
    this.#signal = signal;
  }

  async add(path: string, found: FileFindings, searched: SearchedText): Promise<void> {
    this.#files.push({ path, found });
    this.#texts.push(searched);
    this.#characters += searched.text.length;
    if (this.#characters >= batch.characters || this.#texts.length >= batch.texts) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#texts.length === 0) return;
    this.#search ??= new PatternSearch(
      this.#uses.map(({ source, rule }) => ({ source: toJavaScript(source), flags: "gim", isCounted: !rule })),
    );
    const [files, texts] = [this.#files, this.#texts];
    [this.#files, this.#texts, this.#characters] = [[], [], 0];
    try {
      for (const { text, pattern, lines, total } of await this.#search.search(texts, this.#signal)) {
        const [found, use] = [files[text]?.found, this.#uses[pattern]];
        this.#pace.count(lines.length);
        if (found && use) addMatches(found, use, lines, total);
      }
    } catch (error) {
      if (error instanceof PatternTimeout)
        throw slowPattern(this.#uses[error.pattern]?.source ?? "", files[error.text]?.path ?? "");
      throw error instanceof PatternFlood ? tooManyViolations(maxFindings) : error;
    }
  }

  async close(): Promise<void> {
    await this.#search?.close();
  }
}

function addMatches(found: FileFindings, { rule, invariant }: PatternUse, lines: readonly number[], total: number) {
  if (invariant !== undefined) found.counts[invariant] = total;
  if (!rule) return;
  const { layer, text, reason, kind } = rule;
  for (const line of lines) found.violations.push({ layer, line, rule: text, kind, reason });
}

function goModules(tree: ProjectTree): { name: string; folder: string }[] {
  return tree.paths
    .filter((path) => path === "go.mod" || path.endsWith("/go.mod"))
    .flatMap((path) => {
      const [, name] = /^module[ \t]+(\S{1,300})/m.exec(tree.text(path, maxSyntaxBytes) ?? "") ?? [];
      return name === undefined ? [] : [{ name, folder: path.slice(0, Math.max(0, path.length - "/go.mod".length)) }];
    });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
