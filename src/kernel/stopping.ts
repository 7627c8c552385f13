import { ForgeError } from "./errors.ts";

/** What tells that the caller has gone; an AbortSignal does. */
export type Cancellation = {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
};

/** The two reasons to stop a call: its caller cancels it, or its time is up. */
export class Stopping {
  readonly #name: string;
  readonly #deadlineMs: number;
  readonly #cancelled: Cancellation;
  readonly #timer: NodeJS.Timeout;
  // Made where somebody asks for it: a signal costs more than all else here, and most calls are over before they need one.
  #controller: AbortController | undefined;
  #whenStopped: (() => void) | undefined;
  #isStopped = false;
  #isLate = false;

  constructor(name: string, deadlineMs: number, cancelled: Cancellation) {
    this.#name = name;
    this.#deadlineMs = deadlineMs;
    this.#cancelled = cancelled;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#stop();
    }, deadlineMs);
    if (cancelled.aborted) this.#stop();
    cancelled.addEventListener("abort", this.#stop);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isStopped) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Work that ignores the signal must not hold the answer; it is left to end by itself. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#whenStopped = () => reject(new ForgeError("CANCELLED", "The call was cancelled."));
      if (this.#isStopped) this.#whenStopped();
      work.then(resolve, reject);
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

  readonly #stop = () => {
    this.#isStopped = true;
    this.#controller?.abort();
    this.#whenStopped?.();
  };
}
