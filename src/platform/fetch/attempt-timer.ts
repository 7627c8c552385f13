/** The clock of one attempt. One stage is timed at a time; whatever ends the attempt early ends it here, once. */
export class AttemptTimer {
  readonly #whole: AbortSignal;
  readonly #onWhole = () => this.stop(this.#whole.reason);
  #timer: NodeJS.Timeout | undefined;
  #reason: unknown;
  #stop: ((reason: unknown) => void) | undefined;

  constructor(whole: AbortSignal) {
    this.#whole = whole;
    whole.addEventListener("abort", this.#onWhole, { once: true });
  }

  /** Called with the reason when the attempt must end; at once where it has ended already. */
  onStop(stop: (reason: unknown) => void): void {
    this.#stop = stop;
    if (this.#reason !== undefined) stop(this.#reason);
    else if (this.#whole.aborted) this.stop(this.#whole.reason);
  }

  /** Times the next stage, instead of the one before. */
  stage(ms: number, tooLong: () => unknown): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(tooLong()), ms);
  }

  /** Nothing is being waited for. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  stop(reason: unknown): void {
    this.#reason ??= reason;
    this.end();
    this.#stop?.(this.#reason);
  }

  /** A message that was cut off may look like one that has ended. */
  throwIfStopped(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** An early end surfaces as whatever the socket happens to throw; this is what it means. */
  reasonFor(thrown: unknown): unknown {
    return this.#reason ?? thrown;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#whole.removeEventListener("abort", this.#onWhole);
  }
}
