import type { ParseError } from "jsonc-parser";
import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { spotOf } from "../../../../kernel/text/excerpt.ts";

export type SyntaxFault = { file: string; line: number; message: string };

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

/** What keeps a text from being parsed, if anything does. Nothing of it is run. */
export async function findFault(file: string, language: string, text: string): Promise<SyntaxFault | undefined> {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    switch (language) {
      case "json":
        return await checkJson(file, body);
      case "yaml":
        return await checkYaml(file, body);
      case "toml":
        return await checkToml(file, body);
      default:
        return await checkJavaScript(file, body, language);
    }
  } catch (error) {
    // Nested deeper than any parser goes.
    if (error instanceof RangeError) return { file, line: 1, message: "It is nested too deeply." };
    throw error;
  }
}

async function checkJson(file: string, text: string): Promise<SyntaxFault | undefined> {
  try {
    JSON.parse(text);
    return undefined;
  } catch (strict) {
    const name = file.slice(file.lastIndexOf("/") + 1);
    if (strictJson.has(name))
      return { file, line: 1, message: strict instanceof Error ? firstLine(strict.message) : "" };
    const { parse, printParseErrorCode } = await import("jsonc-parser");
    const errors: ParseError[] = [];
    parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const [first] = errors;
    if (!first) return undefined;
    return { file, line: spotOf(text, first.offset).line, message: printParseErrorCode(first.error) };
  }
}

async function checkYaml(file: string, text: string): Promise<SyntaxFault | undefined> {
  if (text.length > maxYamlBytes) return undefined;
  const { parseAllDocuments } = await import("../../../../commons/yaml/yaml.ts");
  const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
  const [problem] = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors) : [];
  if (!problem) return undefined;
  return { file, line: problem.linePos?.[0].line ?? 1, message: firstLine(problem.message) };
}

async function checkToml(file: string, text: string): Promise<SyntaxFault | undefined> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { file, line: error.line, message: firstLine(error.message) };
  }
}

async function checkJavaScript(file: string, text: string, language: string): Promise<SyntaxFault | undefined> {
  const { parse } = await import("./javascript-parser.ts");
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
    const line = error instanceof Error && "loc" in error ? (error.loc as { line?: number })?.line : undefined;
    return { file, line: line ?? 1, message: error instanceof Error ? firstLine(error.message) : "" };
  }
}

function firstLine(message: string): string {
  return (message.split("\n", 1)[0] ?? "").slice(0, 200);
}
