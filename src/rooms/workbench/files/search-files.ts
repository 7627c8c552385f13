import { setImmediate as turn } from "node:timers/promises";
import { ForgeError } from "../../../kernel/errors.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { LineMatcher, MatchingLine } from "./pattern/line-matcher.ts";

/** A file this large was made by a program. */
const largestSearched = 2 * 1_048_576;
const mostCounted = 10_000;
const atATimeMs = 20;
const longestMs = 20_000;
const shownCharacters = 300;
const shownBefore = 80;
/** As git does: what has a zero byte near its beginning is no text. */
const lookedAtForZero = 8_000;

type Match = { path: string; line: number; column: number; text: string; before: string[]; after: string[] };

export type SearchResult = {
  matches: Match[];
  /** Of matching lines, as far as was looked. */
  total: number;
  /** Everything was looked through. */
  isComplete: boolean;
  searched: number;
  /** No text, too large, or not to be read. */
  skipped: number;
};

/** Looks through files, one after the other, giving way to others in between. */
export async function searchFiles(
  files: SafeRoot,
  paths: readonly string[],
  matcher: LineMatcher,
  { limit, contextLines, signal }: { limit: number; contextLines: number; signal: AbortSignal },
): Promise<SearchResult> {
  const result: SearchResult = { matches: [], total: 0, isComplete: true, searched: 0, skipped: 0 };
  const began = performance.now();
  let turned = began;
  for (const path of paths) {
    const now = performance.now();
    if (now - turned > atATimeMs) {
      await turn();
      signal.throwIfAborted();
      turned = performance.now();
    }
    if (result.total >= mostCounted || now - began > longestMs) return { ...result, isComplete: false };
    const bytes = await textBytes(files, path);
    if (!bytes) {
      result.skipped++;
      continue;
    }
    result.searched++;
    if (matcher.needs && !bytes.includes(matcher.needs)) continue;
    const text = bytes.toString("utf8");
    for (const found of matcher.lines(text)) {
      result.total++;
      if (result.matches.length < limit) result.matches.push(shown(path, text, found, contextLines));
    }
  }
  return result;
}

/** Undefined for what cannot be searched. */
async function textBytes(files: SafeRoot, path: string): Promise<Buffer | undefined> {
  try {
    const { bytes } = await files.read(path, { maxBytes: largestSearched });
    return bytes.subarray(0, lookedAtForZero).includes(0) ? undefined : bytes;
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}

function shown(path: string, text: string, { line, from, to, at }: MatchingLine, contextLines: number): Match {
  const start = to - from <= shownCharacters ? from : Math.max(from, Math.min(at - shownBefore, to - shownCharacters));
  const cut = text.slice(start, Math.min(to, start + shownCharacters));
  const around = contextLines === 0 ? { before: [], after: [] } : linesAround(text, from, to, contextLines);
  return { path, line, column: at - from + 1, text: cut, ...around };
}

function linesAround(text: string, from: number, to: number, count: number): { before: string[]; after: string[] } {
  const [before, after]: [string[], string[]] = [[], []];
  for (let end = from - 1; before.length < count && end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    before.unshift(lineText(text, start, end));
    end = start - 1;
  }
  for (let end = text.indexOf("\n", to); after.length < count && end !== -1 && end + 1 < text.length; ) {
    const next = text.indexOf("\n", end + 1);
    after.push(lineText(text, end + 1, next === -1 ? text.length : next));
    end = next;
  }
  return { before, after };
}

function lineText(text: string, from: number, to: number): string {
  return text.slice(from, Math.min(to, from + shownCharacters)).replace(/\r$/, "");
}
