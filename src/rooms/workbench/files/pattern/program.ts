import { ForgeError } from "../../../../kernel/errors.ts";
import type { CharSet } from "./char-set.ts";
import type { Pattern, Place } from "./syntax.ts";

/** One step of a matching machine; numbers are those of the steps to go on with. */
type Step =
  | { kind: "unit"; set: CharSet; next: number }
  | { kind: "fork"; to: number[] }
  | { kind: "place"; place: Place; next: number }
  | { kind: "match" };

/** A repeated part is there as often as it is repeated, so a short pattern can mean a large machine. */
const mostSteps = 5_000;

/** The machine of a pattern; it begins at `start`. */
export type Program = { steps: Step[]; start: number };

export function compile(pattern: Pattern): Program {
  const compiler = new Compiler();
  const end = compiler.add({ kind: "match" });
  return { start: compiler.before(pattern, end), steps: compiler.steps };
}

class Compiler {
  readonly steps: Step[] = [];

  add(step: Step): number {
    if (this.steps.length >= mostSteps) throw tooLarge();
    return this.steps.push(step) - 1;
  }

  /** Puts a pattern before the step `next`; returns where it begins. */
  before(pattern: Pattern, next: number): number {
    switch (pattern.kind) {
      case "unit":
        return this.add({ kind: "unit", set: pattern.set, next });
      case "place":
        return this.add({ kind: "place", place: pattern.place, next });
      case "sequence":
        return pattern.parts.reduceRight((after, part) => this.before(part, after), next);
      case "choice":
        return this.add({ kind: "fork", to: pattern.parts.map((part) => this.before(part, next)) });
      case "repeat":
        return this.#repeat(pattern, next);
    }
  }

  #repeat({ part, min, max }: Extract<Pattern, { kind: "repeat" }>, next: number): number {
    let begin = next;
    if (max === undefined) {
      const fork: Step = { kind: "fork", to: [] };
      begin = this.add(fork);
      fork.to.push(this.before(part, begin), next);
    }
    for (let count = min; count < (max ?? min); count++)
      begin = this.add({ kind: "fork", to: [this.before(part, begin), next] });
    for (let count = 0; count < min; count++) begin = this.before(part, begin);
    return begin;
  }
}

function tooLarge(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The pattern repeats too much to be searched for.", {
    details: { mostSteps },
    next: ["Use smaller numbers in {…}, or * and +."],
  });
}
