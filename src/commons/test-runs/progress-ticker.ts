import type { Progress } from "./runner.ts";
import type { TestProgress } from "./test-run.ts";

const intervalMs = 3_000;
const minIntervalMs = 300;

/** Reports the progress of a run: at the start, when its counts change, and in between at intervals. */
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
    // Not more often than it is reported: many lines must not make this expensive.
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
