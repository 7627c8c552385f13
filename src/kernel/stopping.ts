import { ForgeError } from "./errors.ts";

/** The two reasons to stop a call: its caller cancels it, or its time is up. */
export class Stopping {
  readonly #name: string;
  readonly #deadlineMs: number;
  readonly #cancelled: AbortSignal;
  // One controller for both: `AbortSignal.any` would make three signals for every call.
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #isLate = false;

  constructor(name: string, deadlineMs: number, cancelled: AbortSignal) {
    this.#name = name;
    this.#deadlineMs = deadlineMs;
    this.#cancelled = cancelled;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#stop();
    }, deadlineMs);
    if (cancelled.aborted) this.#stop();
    cancelled.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Work that ignores the signal must not hold the answer; it is left to end by itself. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const stopped = () => reject(new ForgeError("CANCELLED", "The call was cancelled."));
      if (signal.aborted) stopped();
      signal.addEventListener("abort", stopped, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stopped));
    });
  }

  /** Being stopped surfaces as whatever the work happened to throw; what the caller should read is why it was stopped. */
  reasonFor(thrown: unknown): unknown {
    if (this.#cancelled.aborted) return new ForgeError("CANCELLED", `${this.#name} was cancelled.`);
    if (!this.#isLate) return thrown;
    return new ForgeError(
      "TIMEOUT",
      `${this.#name} did not finish within ${Math.round(this.#deadlineMs / 1000)} s and was stopped.`,
      {
        details: { deadlineMs: this.#deadlineMs },
        suggestions: ["Ask for less in one call, or try again when the machine is less busy."],
      },
    );
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#cancelled.removeEventListener("abort", this.#stop);
  }

  readonly #stop = () => this.#controller.abort();
}
