import { exportedNames } from "../../../commons/code-index/exported-names.ts";
import { languageOf } from "../../../commons/code-index/languages.ts";
import { isTestFile, nameOf } from "../../../commons/code-index/project-index.ts";
import { visible } from "../../../kernel/visible.ts";
import { type Manifest, shownName } from "../project/manifest.ts";
import { docSentence } from "./doc-comment.ts";

const longest = 240;
const mostNames = 6;
const mostPackages = 4;
const entryNames = /^(?:main|__main__|manage|Main|Application|Program)\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|cs)$/;
/** These begin a program only where they lie at the top. */
const topEntryNames = /^(?:index|app|server|cli|App)\.(?:[cm]?[jt]sx?|py)$/;
const nearTop = 3;

const quotedTest = /^\s{0,8}(?:describe|it|test)(?:\.\w{1,20})?\((["'`])(.{1,150})/;
const namedTest = /^\s{0,8}(?:async )?(?:def|fn|func) ([Tt]est\w{1,100})/;

export function isEntryPoint(path: string): boolean {
  const isNearTop = path.split("/").length <= nearTop;
  return entryNames.test(nameOf(path)) || (isNearTop && topEntryNames.test(nameOf(path)));
}

/** One line on what a file is, all of it found in the file; `packages` are those of elsewhere that it imports. */
export function describe(path: string, text: string, packages: readonly string[]): string {
  const said = jsonSentence(path, text) ?? docSentence(path, text);
  const exported = exportedNames(path, text);
  const isEntry = isEntryPoint(path) && exported.length < mostNames;
  const uses = packages.length > 0 ? ` with ${packages.slice(0, mostPackages).join(", ")}` : "";
  const tested = said === undefined && isTestFile(path) ? firstTest(text) : undefined;
  const parts = [
    ...(said === undefined ? [] : [said]),
    ...(tested === undefined ? [] : [`Tests: ${tested}`]),
    ...(isEntry ? [`${said === undefined ? "Entry point" : "entry point"}${uses}`] : []),
    ...(exported.length > 0 ? [`exports ${some(exported)}`] : []),
  ];
  const line = parts.length > 0 ? parts.join("; ") : size(path, text);
  return cut(visible(line.replaceAll("\t", " ")));
}

export function describeManifest({ ecosystem, name, members = [], dependencies }: Manifest): string {
  const what = members.length > 0 ? "workspace" : "package";
  const called = name === undefined ? "" : ` ${shownName(name)}`;
  const count = dependencies.length === 1 ? "1 dependency" : `${dependencies.length} dependencies`;
  return cut(`Manifest of the ${ecosystem} ${what}${called}, ${count}`);
}

/** For what was too large to be read. */
export function describeLarge(path: string, bytes: number): string {
  return `${capital(languageOf(path)?.name ?? "file")}, ${Math.round(bytes / 1024)} KB: too large to be looked at here`;
}

function jsonSentence(path: string, text: string): string | undefined {
  if (!path.endsWith(".json")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const { name, description, title } = value as Record<string, unknown>;
    const told = [name, title, description].filter((part) => typeof part === "string" && part !== "");
    return told.length > 0 ? told.join(": ") : `Settings: ${some(Object.keys(value))}`;
  } catch {
    return undefined;
  }
}

/** The name of the first test, in whatever way tests are named. */
function firstTest(text: string): string | undefined {
  for (const line of text.split("\n", 500)) {
    const [, quote = "", rest] = quotedTest.exec(line) ?? [];
    if (rest !== undefined) return rest.split(quote)[0];
    const [, name] = namedTest.exec(line) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

function some(names: readonly string[]): string {
  const first = names.slice(0, mostNames).join(", ");
  return names.length > mostNames ? `${first} and ${names.length - mostNames} more` : first;
}

function size(path: string, text: string): string {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return `${capital(languageOf(path)?.name ?? "text")}, ${lines} ${lines === 1 ? "line" : "lines"}`;
}

function cut(line: string): string {
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
