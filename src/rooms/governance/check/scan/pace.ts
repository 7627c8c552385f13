import { setImmediate as turn } from "node:timers/promises";
import { maxFindings } from "../../model/check-schemas.ts";
import { tooManyViolations } from "../errors.ts";

const maxTurnMs = 20;

/** What a scan may take: others have their turn, a cancelled one ends, and rules that fit nearly everything do not fill the memory. */
export class Pace {
  readonly #signal: AbortSignal;
  #turned = performance.now();
  #violations = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Undefined if there is nothing to wait for: waiting for nothing 10,000 times would take longer than the work. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.#turned > maxTurnMs ? this.#giveTurn() : undefined;
  }

  async #giveTurn(): Promise<void> {
    await turn();
    this.#signal.throwIfAborted();
    this.#turned = performance.now();
  }

  count(violations: number): void {
    this.#violations += violations;
    if (this.#violations > maxFindings) throw tooManyViolations(maxFindings);
  }
}
