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

  line(line: string): void {
    if (line.length > 2_000) return;
    this.#progress.done += countIn(line, this.#done);
    this.#progress.failed += countIn(line, this.#failed);
  }

  progress(): Progress {
    return { ...this.#progress };
  }
}

function countIn(line: string, pattern: RegExp): number {
  const match = pattern.exec(line);
  if (!match) return 0;
  return match[1] === undefined ? 1 : Number.parseInt(match[1], 10);
}
