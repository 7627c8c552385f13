import type { Progress } from "../runner.ts";

/** Counts tests by the lines that a runner prints as it goes. A pattern's first group, where there is one, says how many. */
export class LineCounter {
  readonly #done: RegExp;
  readonly #failed: RegExp;
  #progress: Progress = { done: 0, failed: 0 };

  constructor(patterns: { done: RegExp; failed: RegExp }) {
    this.#done = patterns.done;
    this.#failed = patterns.failed;
  }

  addLine(line: string): void {
    if (line.length > 2_000) return;
    this.#progress.done += countMatches(line, this.#done);
    this.#progress.failed += countMatches(line, this.#failed);
  }

  getProgress(): Progress {
    return { ...this.#progress };
  }
}

function countMatches(line: string, pattern: RegExp): number {
  const match = pattern.exec(line);
  if (!match) return 0;
  return match[1] === undefined ? 1 : Number.parseInt(match[1], 10);
}
