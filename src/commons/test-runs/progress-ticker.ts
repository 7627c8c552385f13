import type { Progress } from "./runner.ts";
import type { TestProgress } from "./test-run.ts";

const intervalMs = 3_000;
const minIntervalMs = 300;

/** Says how far a run is: when it begins, as its counts change, and now and then where they do not. */
export class ProgressTicker {
  readonly #look: () => Progress;
  readonly #report: (progress: TestProgress) => void;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #toldAt = Number.NEGATIVE_INFINITY;
  #told = 0;

  constructor(look: () => Progress, report: (progress: TestProgress) => void) {
    this.#look = look;
    this.#report = report;
    this.#timer = setInterval(() => this.#tell(), intervalMs);
    this.#timer.unref();
    this.#tell("started");
  }

  update(): void {
    const now = performance.now();
    if (now - this.#toldAt < minIntervalMs) return;
    // Looked at no more often than it may be told: a flood of lines must not cost more than the lines.
    this.#toldAt = now;
    if (this.#look().done !== this.#told) this.#tell();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tell(what?: string): void {
    const { done, total, failed } = this.#look();
    this.#toldAt = performance.now();
    this.#told = done;
    const seconds = Math.round((this.#toldAt - this.#startedAt) / 1000);
    const counts = done > 0 ? `${done} done, ${failed} failed, ` : "";
    const message = `tests ${what ?? `running, ${counts}${seconds} s`}`;
    this.#report({ done, failed, message, ...(total !== undefined && { total }) });
  }
}
