import { setImmediate as turn } from "node:timers/promises";
import { tooManyViolations } from "../errors.ts";
import type { FileFindings } from "./scan-cache.ts";

/** Nobody reads as many, and rules and files by others can have more than fits into memory. */
const maxViolations = 300_000;
const maxTurnMs = 20;

/** What the rules found in one file so far. */
export type FoundInFile = {
  found: FileFindings;
  add(violation: FileFindings["violations"][number]): void;
  giveWay(): Promise<void> | undefined;
};

/** Counts what one pass finds, and lets others have their turn. */
export class Findings {
  readonly #signal: AbortSignal;
  #count = 0;
  #turned = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  of(found: FileFindings): FoundInFile {
    return {
      found,
      add: (violation) => {
        if (++this.#count > maxViolations) throw tooManyViolations(maxViolations);
        found.violations.push(violation);
      },
      giveWay: () => this.giveWay(),
    };
  }

  /** Undefined where it is not time yet: waiting for nothing 10,000 times would take longer than the work. */
  giveWay(): Promise<void> | undefined {
    return performance.now() - this.#turned > maxTurnMs ? this.#giveTurn() : undefined;
  }

  async #giveTurn(): Promise<void> {
    await turn();
    this.#signal.throwIfAborted();
    this.#turned = performance.now();
  }
}
