import { setImmediate as turn } from "node:timers/promises";
import { ForgeError } from "../../../kernel/errors.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { LineMatcher, MatchingLine } from "./pattern/line-matcher.ts";

/** A file this large was made by a program. */
const maxSearchedBytes = 2 * 1_048_576;
const maxCounted = 10_000;
const maxTurnMs = 20;
const maxSearchMs = 20_000;
const maxShownLength = 300;
const charactersBefore = 80;
/** As git does: what has a zero byte near its beginning is no text. */
const binaryCheckBytes = 8_000;

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
    if (now - turned > maxTurnMs) {
      await turn();
      signal.throwIfAborted();
      turned = performance.now();
    }
    if (result.total >= maxCounted || now - began > maxSearchMs) return { ...result, isComplete: false };
    const bytes = await readTextBytes(files, path);
    if (!bytes) {
      result.skipped++;
      continue;
    }
    result.searched++;
    if (matcher.needs && !bytes.includes(matcher.needs)) continue;
    const text = bytes.toString("utf8");
    for (const found of matcher.lines(text)) {
      result.total++;
      if (result.matches.length < limit) result.matches.push(toMatch(path, text, found, contextLines));
    }
  }
  return result;
}

/** Undefined for what cannot be searched. */
async function readTextBytes(files: SafeRoot, path: string): Promise<Buffer | undefined> {
  try {
    const { bytes } = await files.read(path, { maxBytes: maxSearchedBytes });
    return bytes.subarray(0, binaryCheckBytes).includes(0) ? undefined : bytes;
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}

function toMatch(path: string, text: string, { line, from, to, at }: MatchingLine, contextLines: number): Match {
  const start =
    to - from <= maxShownLength ? from : Math.max(from, Math.min(at - charactersBefore, to - maxShownLength));
  const cut = text.slice(start, Math.min(to, start + maxShownLength));
  const around = contextLines === 0 ? { before: [], after: [] } : findContext(text, from, to, contextLines);
  return { path, line, column: at - from + 1, text: cut, ...around };
}

function findContext(text: string, from: number, to: number, count: number): { before: string[]; after: string[] } {
  const [before, after]: [string[], string[]] = [[], []];
  for (let end = from - 1; before.length < count && end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    before.unshift(sliceLine(text, start, end));
    end = start - 1;
  }
  for (let end = text.indexOf("\n", to); after.length < count && end !== -1 && end + 1 < text.length; ) {
    const next = text.indexOf("\n", end + 1);
    after.push(sliceLine(text, end + 1, next === -1 ? text.length : next));
    end = next;
  }
  return { before, after };
}

function sliceLine(text: string, from: number, to: number): string {
  return text.slice(from, Math.min(to, from + maxShownLength)).replace(/\r$/, "");
}
