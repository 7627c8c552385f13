import { detectLanguage } from "../../../commons/code-index/languages.ts";

const limits = { lines: 200, block: 40, characters: 300 } as const;
const maxSentenceLength = 160;

/** Comments that do not describe the file: licences, and instructions for tools. */
const unrelatedComment =
  /copyright|licen[cs]e|spdx|all rights reserved|eslint|prettier|biome|@ts-|tslint|jshint|go:build|\+build|coding[:=]|generated|noinspection|istanbul|vim:|<reference|pylint|mypy:|ruff:|noqa/i;

/** What a file may begin with: a comment before it describes the file. */
const beforeCode = /^(?:$|package |import |use |from |"use |'use |<\?php|const .{1,200} = require\()/;
/** The beginning of an exported declaration. */
const exportedDeclaration =
  /^(?:export |pub |public |module\.exports|final |abstract |open |data |sealed |class |interface |func [A-Z]|type [A-Z]|fun |#\[|@[A-Z])/;

type CommentStyle = "slashes" | "hashes" | "dashes" | "markup";

/** The first sentence of a comment at the top of a file, or before its first exported declaration. */
export function findDocSentence(path: string, text: string): string | undefined {
  const lines = text.split("\n", limits.lines).map((line) => line.slice(0, limits.characters).trimEnd());
  const style = commentStyle(path);
  if (style === "markup") return findHeading(lines);
  const docstring = detectLanguage(path)?.name === "python" ? findDocstring(lines) : undefined;
  if (docstring !== undefined) return firstSentence(docstring);
  for (const comment of listComments(lines, style)) {
    const sentence = firstSentence(comment);
    if (sentence !== undefined && !unrelatedComment.test(comment)) return sentence;
  }
  return undefined;
}

function commentStyle(path: string): CommentStyle {
  const name = detectLanguage(path)?.name ?? "";
  if (name === "markdown" || name === "html") return "markup";
  if (["sql", "haskell", "lua"].includes(name)) return "dashes";
  const hashes = "python shell ruby yaml toml elixir r julia perl nix terraform powershell".split(" ");
  return hashes.includes(name) || name === "" ? "hashes" : "slashes";
}

function findHeading(lines: readonly string[]): string | undefined {
  const found = lines.find((line) => /^#{1,3} \S/.test(line)) ?? lines.find((line) => line.includes("<title>"));
  const text = found
    ?.replace(/^#{1,3} /, "")
    .split("<title>")
    .at(-1)
    ?.split("</title>")[0];
  return text === undefined || text.trim() === "" ? undefined : text.trim().slice(0, maxSentenceLength);
}

function findDocstring(lines: readonly string[]): string[] | undefined {
  const start = lines.findIndex((line) => line !== "" && !line.startsWith("#"));
  const line = lines[start] ?? "";
  const quote = ['"""', "'''"].find((mark) => line.startsWith(mark) || line.startsWith(`r${mark}`));
  if (quote === undefined) return undefined;
  const rest = [line.slice(line.indexOf(quote) + quote.length), ...lines.slice(start + 1, start + limits.block)];
  const end = rest.findIndex((one) => one.includes(quote));
  if (end === -1) return rest;
  return [...rest.slice(0, end), (rest[end] ?? "").split(quote)[0] ?? ""];
}

/** Comments about the file, or about exported declarations. */
function* listComments(lines: readonly string[], style: CommentStyle): Generator<string> {
  const mark = style === "hashes" ? "#" : style === "dashes" ? "--" : "//";
  let isBeforeCode = true;
  for (let at = lines[0]?.startsWith("#!") ? 1 : 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const end = findCommentEnd(lines, at, style, mark);
    if (end === at) {
      if (line !== "" && !beforeCode.test(line)) isBeforeCode = false;
      at++;
      continue;
    }
    const next = lines[end] ?? "";
    const isOfFile = isBeforeCode && (style !== "slashes" || line.startsWith("//!") || beforeCode.test(next));
    if (isOfFile || exportedDeclaration.test(next))
      yield stripMarkers(lines.slice(at, Math.min(end, at + limits.block)));
    at = end;
  }
}

/** The line after the comment that begins here; the same line if none begins. */
function findCommentEnd(lines: readonly string[], start: number, style: CommentStyle, mark: string): number {
  const line = lines[start] ?? "";
  if (style === "slashes" && line.startsWith("/*")) {
    const end = lines.findIndex((one, index) => index >= start && one.includes("*/"));
    return end === -1 ? lines.length : end + 1;
  }
  let end = start;
  while (end < lines.length && (lines[end] ?? "").startsWith(mark)) end++;
  return end;
}

/** The text of a comment, without its markers and without tags. */
function stripMarkers(lines: readonly string[]): string {
  const words = lines.map((line) => {
    const [text = ""] = line
      .trim()
      .replace(/^(?:\/\*+!?|\/\/[/!]?|\*(?!\/)|#+|--)/, "")
      .split("*/");
    return text.trim();
  });
  const tag = words.findIndex((line) => line.startsWith("@"));
  return (tag === -1 ? words : words.slice(0, tag)).join("\n").trim();
}

/** The first sentence of the first paragraph, without its full stop; undefined without words. */
function firstSentence(said: string | readonly string[]): string | undefined {
  const lines = typeof said === "string" ? said.split("\n") : said;
  const start = lines.findIndex((line) => /[A-Za-z]{2}/.test(line));
  if (start === -1) return undefined;
  const end = lines.findIndex((line, index) => index > start && line.trim() === "");
  const paragraph = lines
    .slice(start, end === -1 ? undefined : end)
    .map((line) => line.trim())
    .join(" ");
  const sentence = (paragraph.split(/[.!?] /)[0] ?? "").trim().replace(/[.:]$/, "");
  return sentence.length > maxSentenceLength ? `${sentence.slice(0, maxSentenceLength - 1)}…` : sentence;
}
