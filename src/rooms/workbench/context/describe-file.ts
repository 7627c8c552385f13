import { findExportedNames } from "../../../commons/code-index/exported-names.ts";
import { detectLanguage } from "../../../commons/code-index/languages.ts";
import { fileName, isTestFile } from "../../../commons/code-index/project-index.ts";
import { formatName, type Manifest } from "../../../commons/manifests/manifest.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { findDocSentence } from "./doc-comment.ts";
import type { UnreadFile } from "./source-reader.ts";

const maxLength = 240;
const maxNames = 6;
const maxPackages = 4;
const entryNames = /^(?:main|__main__|manage|Main|Application|Program)\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|cs)$/;
/** Entry points only near the top of the project. */
const topEntryNames = /^(?:index|app|server|cli|App)\.(?:[cm]?[jt]sx?|py)$/;
const maxEntryDepth = 3;

const quotedTest = /^\s{0,8}(?:describe|it|test)(?:\.\w{1,20})?\((["'`])(.{1,150})/;
const namedTest = /^\s{0,8}(?:async )?(?:def|fn|func) ([Tt]est\w{1,100})/;

export function isEntryPoint(path: string): boolean {
  const isNearTop = path.split("/").length <= maxEntryDepth;
  return entryNames.test(fileName(path)) || (isNearTop && topEntryNames.test(fileName(path)));
}

/** One line on what a file is, from its own content. `packages`: the packages that it imports. */
export function describeFile(path: string, text: string, packages: readonly string[]): string {
  const said = describeJson(path, text) ?? findDocSentence(path, text);
  const exported = findExportedNames(path, text);
  const isEntry = isEntryPoint(path) && exported.length < maxNames;
  const uses = packages.length > 0 ? ` with ${packages.slice(0, maxPackages).join(", ")}` : "";
  const tested = said === undefined && isTestFile(path) ? findFirstTest(text) : undefined;
  const parts = [
    ...(said === undefined ? [] : [said]),
    ...(tested === undefined ? [] : [`Tests: ${tested}`]),
    ...(isEntry ? [`${said === undefined ? "Entry point" : "entry point"}${uses}`] : []),
    ...(exported.length > 0 ? [`exports ${joinSome(exported)}`] : []),
  ];
  const line = parts.length > 0 ? parts.join("; ") : describeSize(path, text);
  return shorten(visible(line.replaceAll("\t", " ")));
}

export function describeManifest({ ecosystem, name, members = [], dependencies }: Manifest): string {
  const what = members.length > 0 ? "workspace" : "package";
  const called = name === undefined ? "" : ` ${formatName(name)}`;
  const count = dependencies.length === 1 ? "1 dependency" : `${dependencies.length} dependencies`;
  return shorten(`Manifest of the ${ecosystem} ${what}${called}, ${count}`);
}

/** For a file that is not text, or that is too large to read here. */
export function describeUnread(path: string, unread: UnreadFile): string {
  const kind = capitalize(detectLanguage(path)?.name ?? "file");
  if (unread === "not text") return `${kind}, not text`;
  return `${kind}, ${Math.round(unread.bytes / 1024)} KB: too large to read here`;
}

function describeJson(path: string, text: string): string | undefined {
  if (!path.endsWith(".json")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const { name, description, title } = value as Record<string, unknown>;
    const told = [name, title, description].filter((part) => typeof part === "string" && part !== "");
    return told.length > 0 ? told.join(": ") : `Settings: ${joinSome(Object.keys(value))}`;
  } catch {
    return undefined;
  }
}

/** The name of the first test in the file. */
function findFirstTest(text: string): string | undefined {
  for (const line of text.split("\n", 500)) {
    const [, quote = "", rest] = quotedTest.exec(line) ?? [];
    if (rest !== undefined) return rest.split(quote)[0];
    const [, name] = namedTest.exec(line) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

function joinSome(names: readonly string[]): string {
  const first = names.slice(0, maxNames).join(", ");
  return names.length > maxNames ? `${first} and ${names.length - maxNames} more` : first;
}

function describeSize(path: string, text: string): string {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return `${capitalize(detectLanguage(path)?.name ?? "text")}, ${lines} ${lines === 1 ? "line" : "lines"}`;
}

function shorten(line: string): string {
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
