import type { ParseError } from "jsonc-parser";
import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { requireShallow } from "../../../../commons/yaml/require-shallow.ts";
import { spotOf } from "../../../../kernel/text/excerpt.ts";

export type Fault = { line: number; message: string };
export type SyntaxFault = Fault & { file: string };
export type SyntaxText = { path: string; language: string; text: string };

/** Larger files were made by a program. */
export const maxSyntaxBytes = 1_048_576;
const maxYamlBytes = 262_144;

/** Made by programs, or there because they do not parse. */
const skippedFolders = new Set(
  [
    "node_modules bower_components vendor third_party third-party dist build out target coverage venv site-packages",
    "fixtures __fixtures__ fixture testdata test-data test_data golden snapshots __snapshots__ templates template testfixtures",
  ].flatMap((line) => line.split(" ")),
);
const lockFiles = new Set(["package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json", "composer.lock"]);
const minified = /\.min\.[cm]?js$/;
/** Like a language that there is a parser for, and not the same. */
const otherDialects = /\.(?:json5|zsh)$/;
/** Programs read these as JSON and nothing else; others often have comments. */
const strictJson = new Set(["package.json", "composer.json", "manifest.json"]);

/** Languages whose parsers Forge brings along. */
const own = new Set(["json", "yaml", "toml", "javascript", "typescript"]);

/** The language to check a file as; undefined where it is not checked. */
export function syntaxLanguage(path: string): string | undefined {
  const names = path.split("/");
  const name = names.pop() ?? "";
  if (lockFiles.has(name) || minified.test(name) || otherDialects.test(name)) return undefined;
  if (names.some((folder) => skippedFolders.has(folder.toLowerCase()))) return undefined;
  const language = detectLanguage(path);
  return language && (!language.isData || own.has(language.name)) ? language.name : undefined;
}

export function isOwnLanguage(language: string): boolean {
  return own.has(language);
}

type Parsers = Awaited<ReturnType<typeof loadParsers>>;

/** Those of the languages that there is something to check in. */
export async function loadParsers(languages: ReadonlySet<string>) {
  const hasCode = languages.has("javascript") || languages.has("typescript");
  return {
    json: languages.has("json") ? await import("jsonc-parser") : undefined,
    yaml: languages.has("yaml") ? await import("../../../../commons/yaml/yaml.ts") : undefined,
    toml: languages.has("toml") ? await import("smol-toml") : undefined,
    code: hasCode ? await import("./javascript-parser.ts") : undefined,
  };
}

/** What keeps a text from being parsed, if anything does. Nothing of it is run. */
export function findFault({ path, language, text }: SyntaxText, parsers: Parsers): Fault | undefined {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    if (parsers.json && language === "json") return checkJson(path, body, parsers.json);
    if (parsers.yaml && language === "yaml") return checkYaml(body, parsers.yaml);
    if (parsers.toml && language === "toml") return checkToml(body, parsers.toml);
    return parsers.code && checkJavaScript(path, body, language, parsers.code);
  } catch (error) {
    // Nested deeper than any parser goes.
    if (error instanceof RangeError) return { line: 1, message: "It is nested too deeply." };
    throw error;
  }
}

function checkJson(file: string, text: string, parser: NonNullable<Parsers["json"]>): Fault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    // What it says quotes the text, which may hold anything.
    const isStrict = strictJson.has(file.slice(file.lastIndexOf("/") + 1));
    const isLoose = !isStrict;
    const errors: ParseError[] = [];
    parser.parse(text, errors, { allowTrailingComma: isLoose, allowEmptyContent: isLoose, disallowComments: isStrict });
    const [first] = errors;
    if (first) return { line: spotOf(text, first.offset).line, message: parser.printParseErrorCode(first.error) };
    return isStrict ? { line: 1, message: "It is not valid JSON." } : undefined;
  }
}

function checkYaml(text: string, parser: NonNullable<Parsers["yaml"]>): Fault | undefined {
  if (text.length > maxYamlBytes) return undefined;
  for (const _ of requireShallow(new parser.Parser().parse(text)));
  const documents = parser.parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
  const [problem] = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors) : [];
  if (!problem) return undefined;
  return { line: problem.linePos?.[0].line ?? 1, message: firstLine(problem.message) };
}

function checkToml(text: string, { parse, TomlError }: NonNullable<Parsers["toml"]>): Fault | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { line: error.line, message: firstLine(error.message) };
  }
}

function checkJavaScript(
  file: string,
  text: string,
  language: string,
  { parse }: NonNullable<Parsers["code"]>,
): Fault | undefined {
  const isTyped = language === "typescript";
  const kinds = isTyped ? (["typescript"] as const) : (["flow"] as const);
  const hasMarkup = !isTyped || file.endsWith("x");
  const dialects = isTyped && file.endsWith(".d.ts") ? ([["typescript", { dts: true }]] as const) : kinds;
  try {
    parse(text, {
      sourceType: "unambiguous",
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowSuperOutsideMethod: true,
      allowUndeclaredExports: true,
      allowNewTargetOutsideFunction: true,
      // What is declared twice, and the like, is for a compiler to say.
      errorRecovery: true,
      plugins: [
        ...dialects.map((dialect) => dialect as "typescript"),
        ...(hasMarkup ? (["jsx"] as const) : []),
        "decorators",
        "explicitResourceManagement",
      ],
    });
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const line = error instanceof Error && "loc" in error ? (error.loc as { line?: number })?.line : undefined;
    return { line: line ?? 1, message: error instanceof Error ? firstLine(error.message) : "" };
  }
}

function firstLine(message: string): string {
  return (message.split("\n", 1)[0] ?? "").slice(0, 200);
}
