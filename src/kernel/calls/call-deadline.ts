import { ForgeError } from "../errors.ts";

/** Tells when the caller has gone. An AbortSignal is one. */
export type Cancellation = {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
};

/** Calls started in this turn of the event loop. Most are over by the next, and need neither timer nor listener. */
let startedCalls: CallDeadline[] = [];

function watchStartedCalls(): void {
  const calls = startedCalls;
  startedCalls = [];
  for (const call of calls) call.watch();
}

/** Stops a call for one of two reasons: its caller cancels it, or its time is up. */
export class CallDeadline {
  readonly #name: string;
  readonly #deadlineMs: number;
  readonly #cancelled: Cancellation;
  #timer: NodeJS.Timeout | undefined;
  #listener: (() => void) | undefined;
  // Made where somebody asks for it: a signal costs more than all else here, and most calls are over before they need one.
  #controller: AbortController | undefined;
  #whenStopped: (() => void) | undefined;
  #isStopped: boolean;
  #isLate = false;
  #hasEnded = false;

  constructor(name: string, deadlineMs: number, cancelled: Cancellation) {
    this.#name = name;
    this.#deadlineMs = deadlineMs;
    this.#cancelled = cancelled;
    this.#isStopped = cancelled.aborted;
    if (startedCalls.push(this) === 1) setImmediate(watchStartedCalls);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      this.watch();
      if (this.#isStopped) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** From now on it is noticed when the caller cancels and when the time is up. */
  watch(): void {
    if (this.#hasEnded || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#stop();
    }, this.#deadlineMs);
    this.#listener = () => this.#stop();
    this.#cancelled.addEventListener("abort", this.#listener);
    if (this.#cancelled.aborted) this.#stop();
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
        next: ["Ask for less in one call, or try again when the machine is less busy."],
      },
    );
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    if (this.#listener) this.#cancelled.removeEventListener("abort", this.#listener);
  }

  #stop(): void {
    this.#isStopped = true;
    this.#controller?.abort();
    this.#whenStopped?.();
  }
}
