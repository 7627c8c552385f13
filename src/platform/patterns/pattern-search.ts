import { Worker } from "node:worker_threads";

/** A regular expression as JavaScript has it. `isCounted`: only how many lines match is asked for. */
export type SearchPattern = { source: string; flags: string; isCounted?: boolean };

/** Why a pattern cannot be used; undefined where it can. Compiling takes no time, whatever the pattern. */
export function findPatternFault({ source, flags }: SearchPattern): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : "unknown";
  }
}

/** A text, and by index the patterns to look for in it. */
export type SearchedText = { text: string; patterns: readonly number[] };

/** A match: the text and the pattern by index, and the lines on which matches begin, from 1. */
export type PatternMatch = { text: number; pattern: number; lines: number[]; total: number };

/** One pattern took too long, or too much memory, on one text. */
export class PatternTimeout extends Error {
  readonly text: number;
  readonly pattern: number;

  constructor(text: number, pattern: number) {
    super("a pattern took too long");
    this.text = text;
    this.pattern = pattern;
  }
}

/** There are more matches than one answer has room for. */
export class PatternFlood extends Error {}

/** Of one pattern in one text, and of all in one search. */
const maxLines = 200;
const maxAllLines = 200_000;
const defaultDeadlineMs = 2_000;

/** Runs as text in a thread of its own, so it can use nothing from here. */
const searcher = `
const { parentPort, workerData } = require("node:worker_threads");
const place = new Int32Array(workerData.place);
const patterns = workerData.patterns.map(({ source, flags }) => new RegExp(source, flags));
const counted = workerData.patterns.map(({ isCounted }) => isCounted === true);
parentPort.on("message", (batch) => {
  const found = [];
  let kept = 0;
  for (const [index, { text, patterns: wanted }] of batch.entries()) {
    for (const number of wanted) {
      Atomics.store(place, 1, index);
      Atomics.store(place, 2, number);
      Atomics.add(place, 0, 1);
      const pattern = patterns[number];
      pattern.lastIndex = 0;
      const lines = [];
      let total = 0, line = 1, from = 0;
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        for (let end = text.indexOf("\\n", from); end !== -1 && end < match.index; end = text.indexOf("\\n", from)) {
          line++;
          from = end + 1;
        }
        if (lines.at(-1) !== line) {
          total++;
          if (!counted[number] && lines.length < ${maxLines}) lines.push(line);
        }
        const next = text.indexOf("\\n", match.index);
        if (next === -1) break;
        pattern.lastIndex = Math.max(next, pattern.lastIndex);
      }
      if (total > 0) found.push({ text: index, pattern: number, lines, total });
      kept += lines.length;
      if (kept > ${maxAllLines}) return parentPort.postMessage("flood");
    }
  }
  parentPort.postMessage(found);
});
`;

/**
 * Looks for patterns of others in texts, in a thread that is ended where one of them takes too long: an expression can be
 * written so that it would take years.
 */
export class PatternSearch {
  readonly #worker: Worker;
  readonly #place: Int32Array;
  readonly #deadlineMs: number;

  constructor(patterns: readonly SearchPattern[], deadlineMs = defaultDeadlineMs) {
    const place = new SharedArrayBuffer(12);
    this.#place = new Int32Array(place);
    this.#deadlineMs = deadlineMs;
    this.#worker = new Worker(searcher, {
      eval: true,
      workerData: { patterns, place },
      env: {},
      stdout: true,
      stderr: true,
    });
    this.#worker.unref();
  }

  /** One call at a time. Rejects with a {@link PatternTimeout} or a {@link PatternFlood}. */
  search(texts: readonly SearchedText[], signal: AbortSignal): Promise<PatternMatch[]> {
    return new Promise((resolve, reject) => {
      let seen = -1;
      const watch = setInterval(() => {
        const steps = Atomics.load(this.#place, 0);
        // Nothing has begun yet on a machine that is slow to start threads.
        if (steps !== seen || steps === 0) seen = steps;
        else giveUp();
      }, this.#deadlineMs);
      const giveUp = () =>
        end(() => reject(new PatternTimeout(Atomics.load(this.#place, 1), Atomics.load(this.#place, 2))));
      const cancel = () => end(() => reject(signal.reason));
      const end = (settle: () => void) => {
        clearInterval(watch);
        signal.removeEventListener("abort", cancel);
        this.#worker.removeAllListeners("message").removeAllListeners("error");
        settle();
      };
      signal.addEventListener("abort", cancel, { once: true });
      this.#worker.once("message", (found: PatternMatch[] | "flood") =>
        end(() => (found === "flood" ? reject(new PatternFlood()) : resolve(found))),
      );
      // Out of memory, or an expression that is found to be too large only when it is used.
      this.#worker.once("error", giveUp);
      this.#worker.postMessage(texts);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
