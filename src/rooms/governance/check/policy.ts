import * as z from "zod";
import { compileGlob } from "../../../commons/patterns/glob.ts";
import { invariantsFile } from "../../../commons/trust/invariant-commands.ts";
import { isRecord } from "../../../kernel/json.ts";
import { findPatternFault } from "../../../platform/patterns/pattern-search.ts";
import type { InvariantFacts } from "../model/contract.ts";
import { listOf } from "../model/json-parts.ts";
import { constraint, idText } from "../model/schemas.ts";
import { builtInInvariants } from "./built-in.ts";
import { invalidPolicy } from "./errors.ts";

export { invariantsFile };
export const boundariesFile = "Forge/Contracts/boundaries.json";

/** Each is held against every file. */
const maxRules = 2_000;
/** Characters of what each violation repeats, and of a glob. */
const maxTexts = { layer: 250, rule: 4_000, reason: 2_000, glob: 1_000 };
/** Of all globs together: comparing a long path with a long glob takes as much time as both lengths multiplied. */
const maxGlobCharacters = 100_000;
const severities = ["error", "warning", "off"] as const;
export type Severity = (typeof severities)[number];

const text = z.string().max(2_000);
const invariantName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*$/, "must be lower-case letters, digits and _");
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/, "must be a date like 2026-12-31");

const ownInvariant = z.strictObject({
  name: invariantName,
  constraint,
  description: text.optional(),
  /** For `equal`; otherwise the recorded value counts. */
  value: z.number().optional(),
  severity: z.enum(severities).optional(),
  /** Words, not a shell line; its last line of output is the value. */
  command: z.array(z.string().min(1).max(4_096)).min(1).max(200).optional(),
  timeout_seconds: z.number().int().min(1).max(600).optional(),
  /** Counts files; with `pattern`, the lines in them that match. */
  glob: z.string().max(1_000).optional(),
  pattern: text.min(1).optional(),
});

export type OwnInvariant = z.output<typeof ownInvariant>;

const waiver = z.strictObject({
  /** An invariant's name, or `boundary:LAYER`. */
  rule: z.string().min(1).max(300),
  file: z.string().max(4_096).optional(),
  reason: text.min(1),
  by: idText(200),
  until: date,
});

export type Waiver = z.output<typeof waiver>;

const recordedValue = z.strictObject({
  value: z.number(),
  commit: z.string().max(64).optional(),
  at: z.string().max(40).optional(),
});

/** `Forge/invariants.json`: what a project adds to the built-in invariants, the values it has reached, and its waivers. */
const policyFile = z.strictObject({
  severity: z.record(z.string().max(100), z.enum(severities)).optional(),
  /** Files that are not checked for syntax errors. */
  exclude: z.array(z.string().max(1_000)).max(200).optional(),
  invariants: z.array(ownInvariant).max(200).optional(),
  recorded: z.record(z.string().max(100), recordedValue).optional(),
  waivers: z.array(waiver).max(1_000).optional(),
});

export type PolicyFile = z.output<typeof policyFile>;

export type LayerRule = { kind: "pattern" | "import"; text: string; reason: string };
type Layer = { name: string; globs: string[]; rules: LayerRule[] };
export type KnownViolation = { layer: string; file: string; pattern?: string };

/** What a check holds a project to. */
export type Policy = {
  file: PolicyFile;
  layers: Layer[];
  known: KnownViolation[];
  warnings: string[];
};

/** An invariant with how it is measured and how much a breach weighs. */
export type Invariant = InvariantFacts & { severity: Severity; own?: OwnInvariant };

/** A shrinking project is often right to shrink. */
const onlyWarnings = new Set(["total_files", "backend_test_count", "frontend_test_count"]);

export function listInvariants({ severity = {}, invariants = [] }: PolicyFile): Invariant[] {
  // An invariant may be named like something that every object has.
  const ownSeverity = (name: string) => (Object.hasOwn(severity, name) ? severity[name] : undefined);
  const builtIn = builtInInvariants.map((facts) => ({
    ...facts,
    severity: ownSeverity(facts.name) ?? (onlyWarnings.has(facts.name) ? "warning" : "error"),
  }));
  const own = invariants.map((definition): Invariant => {
    const { name, constraint: held, description = "", value = 0 } = definition;
    const weight = ownSeverity(name) ?? definition.severity ?? "error";
    return { name, constraint: held, default_value: value, description, severity: weight, own: definition };
  });
  return [...builtIn, ...own];
}

/** Parses the policy's two files; an absent one has no text. Throws for what cannot be held to. */
export async function parsePolicy(
  invariantsText: string | undefined,
  boundariesText: string | undefined,
): Promise<Policy> {
  const file = await parsePolicyFile(invariantsText);
  const warnings: string[] = [];
  const { layers, known } = parseBoundaries(boundariesText, warnings);
  const rules = layers.reduce((sum, layer) => sum + layer.globs.length + layer.rules.length, 0);
  if (rules > maxRules)
    throw invalidPolicy(boundariesFile, `it has ${rules} globs and rules; the limit is ${maxRules}`);
  const characters = countGlobCharacters(file, layers);
  if (characters > maxGlobCharacters)
    throw invalidPolicy(boundariesFile, `its globs have ${characters} characters; the limit is ${maxGlobCharacters}`);
  for (const { name, globs } of layers)
    for (const glob of globs) await requireGlob(glob, boundariesFile, `layer ${name}`);
  return { file, layers, known, warnings };
}

function countGlobCharacters({ invariants = [], exclude = [] }: PolicyFile, layers: readonly Layer[]): number {
  const imports = layers.flatMap(({ rules }) => rules.filter(({ kind }) => kind === "import").map(({ text }) => text));
  const globs = [...layers.flatMap((layer) => layer.globs), ...imports, ...exclude];
  return [...globs, ...invariants.map(({ glob = "" }) => glob)].reduce((sum, glob) => sum + glob.length, 0);
}

export async function parsePolicyFile(given: string | undefined): Promise<PolicyFile> {
  if (given === undefined) return {};
  const parsed = policyFile.safeParse(parseJson(given, invariantsFile));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidPolicy(invariantsFile, `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "unknown"}`);
  }
  const { invariants = [], exclude = [] } = parsed.data;
  const names = new Set(builtInInvariants.map(({ name }) => name));
  for (const { name, command, glob, pattern } of invariants) {
    if (names.has(name)) throw invalidPolicy(invariantsFile, `there are two invariants named ${name}`);
    names.add(name);
    if ((command !== undefined) === (glob !== undefined))
      throw invalidPolicy(invariantsFile, `${name} needs either a command or a glob`);
    if (pattern !== undefined && glob === undefined)
      throw invalidPolicy(invariantsFile, `${name} has a pattern and no glob`);
    if (pattern !== undefined) requirePattern(pattern, invariantsFile, name);
    if (glob !== undefined) await requireGlob(glob, invariantsFile, name);
  }
  for (const glob of exclude) await requireGlob(glob, invariantsFile, "exclude");
  return parsed.data;
}

function parseBoundaries(given: string | undefined, warnings: string[]): Pick<Policy, "layers" | "known"> {
  if (given === undefined) return { layers: [], known: [] };
  const content = parseJson(given, boundariesFile);
  if (!isRecord(content)) throw invalidPolicy(boundariesFile, "it must be an object with `layers`");
  const layers = listOf(content["layers"]).flatMap((layer): Layer[] => {
    if (!isRecord(layer)) return [];
    const { name, glob, forbidden, forbidden_imports: imports } = layer;
    const globs = [glob].flat().filter((item): item is string => typeof item === "string" && item !== "");
    if (typeof name !== "string" || globs.length === 0) {
      warnings.push(`A layer in ${boundariesFile} has no name or no glob, and is not checked.`);
      return [];
    }
    const rules = [...listOf(forbidden).flatMap(readRule("pattern")), ...listOf(imports).flatMap(readRule("import"))];
    if (name.length > maxTexts.layer || rules.some(({ text: rule }) => rule.length > maxTexts.rule))
      throw invalidPolicy(
        boundariesFile,
        `a layer's name can have ${maxTexts.layer} characters, and a rule ${maxTexts.rule}`,
      );
    for (const rule of rules) if (rule.kind === "pattern") requirePattern(rule.text, boundariesFile, `layer ${name}`);
    return [{ name, globs, rules }];
  });
  const known = listOf(content["known_violations"]).flatMap((item): KnownViolation[] => {
    const { layer, file, pattern } = isRecord(item) ? item : {};
    if (typeof layer !== "string" || typeof file !== "string") return [];
    return [{ layer, file, ...(typeof pattern === "string" && { pattern }) }];
  });
  return { layers, known };
}

function readRule(kind: LayerRule["kind"]) {
  return (rule: unknown): LayerRule[] => {
    const { [kind]: given = rule, reason = "" } = isRecord(rule) ? rule : {};
    return typeof given === "string" && given !== ""
      ? [{ kind, text: given, reason: String(reason).slice(0, maxTexts.reason) }]
      : [];
  };
}

function parseJson(given: string, file: string): unknown {
  try {
    return JSON.parse(given);
  } catch (error) {
    throw invalidPolicy(
      file,
      `it is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}`,
    );
  }
}

async function requireGlob(glob: string, file: string, where: string): Promise<void> {
  if (glob.length > maxTexts.glob) throw invalidPolicy(file, `${where}: a glob can have ${maxTexts.glob} characters`);
  const compiled = await compileGlob(glob);
  if (typeof compiled === "string") throw invalidPolicy(file, `${where}: the glob "${glob}" ${compiled}`);
}

function requirePattern(pattern: string, file: string, where: string): void {
  const why = findPatternFault({ source: toJavaScript(pattern), flags: "gim" });
  if (why !== undefined) throw invalidPolicy(file, `${where}: "${pattern}" is not a regular expression: ${why}`);
}

/** Patterns of other programs are written for Python. What only it knows is said in JavaScript's way. */
export function toJavaScript(pattern: string): string {
  return pattern
    .replace(/^\(\?[imsux]+\)/, "")
    .replaceAll("(?P<", "(?<")
    .replace(/\(\?P=(\w+)\)/g, "\\k<$1>")
    .replace(/\\A/g, "^")
    .replace(/\\Z/g, "$");
}
