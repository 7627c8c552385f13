import { setImmediate as turn } from "node:timers/promises";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { LineMatcher, MatchingLine } from "./line-matcher.ts";

/** Larger files were made by a program. */
const maxSearchedBytes = 2 * 1_048_576;
const maxCounted = 10_000;
const maxTurnMs = 20;
const maxSearchMs = 20_000;
const maxShownLength = 300;
const charactersBefore = 80;
/** As git does: a file with a zero byte near its beginning is not text. */
const binaryCheckBytes = 8_000;

type Match = { path: string; line: number; column: number; text: string; before: string[]; after: string[] };

export type SearchResult = {
  matches: Match[];
  /** Matching lines in the files that were searched. */
  total: number;
  /** All files were searched. */
  isComplete: boolean;
  searched: number;
  /** Not text, too large, lines too long for the expression, or not readable. */
  skipped: number;
};

type SearchOptions = {
  limit: number;
  contextLines: number;
  signal: AbortSignal;
  redactor: Pick<Redactor, "lines">;
};

/** Searches files one after the other, and lets others run in between. */
export async function searchFiles(
  files: SafeRoot,
  paths: readonly string[],
  matcher: LineMatcher,
  { limit, contextLines, signal, redactor }: SearchOptions,
): Promise<SearchResult> {
  const result: SearchResult = { matches: [], total: 0, isComplete: true, searched: 0, skipped: 0 };
  const timer = new TurnTimer(signal);
  for (const path of paths) {
    await timer.giveWay();
    if (result.total >= maxCounted || timer.isOver) return { ...result, isComplete: false };
    const text = await readSearchable(files, path, matcher);
    if (text === undefined) {
      result.skipped++;
      continue;
    }
    result.searched++;
    if (!(await hasMatch(matcher, text, timer))) continue;
    // Without secrets: a part of one is not recognized, and whether a line matches would tell what is in it.
    const shown = redactor.lines(text);
    for (const found of matcher.lines(shown)) {
      if (found) result.total++;
      if (found && result.matches.length < limit) result.matches.push(toMatch(path, shown, found, contextLines));
      await timer.giveWay();
      if (timer.isOver) break;
    }
  }
  return { ...result, isComplete: !timer.isOver };
}

async function hasMatch(matcher: LineMatcher, text: string, timer: TurnTimer): Promise<boolean> {
  for (const found of matcher.lines(text)) {
    if (found) return true;
    await timer.giveWay();
    if (timer.isOver) return false;
  }
  return false;
}

/** The text of a file, or nothing of it if it cannot match; undefined for what cannot be searched. */
async function readSearchable(files: SafeRoot, path: string, matcher: LineMatcher): Promise<string | undefined> {
  const bytes = await readTextBytes(files, path);
  if (!bytes) return undefined;
  if (matcher.needs && !bytes.includes(matcher.needs)) return "";
  const text = bytes.toString("utf8");
  return hasLineOver(matcher.maxLineLength, text) ? undefined : text;
}

/** Long work in small turns. */
class TurnTimer {
  readonly #signal: AbortSignal;
  readonly #began = performance.now();
  #turned = this.#began;
  #now = this.#began;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return this.#now - this.#began > maxSearchMs;
  }

  async giveWay(): Promise<void> {
    this.#now = performance.now();
    if (this.#now - this.#turned <= maxTurnMs) return;
    await turn();
    this.#signal.throwIfAborted();
    this.#turned = performance.now();
  }
}

function hasLineOver(max: number, text: string): boolean {
  if (text.length <= max) return false;
  return text.split("\n").some((line) => line.length > max);
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
