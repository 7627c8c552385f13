import { ForgeError } from "../../../../kernel/errors.ts";
import { type CharSet, largestUnit, lineEnd, wordUnits } from "./char-set.ts";
import { compile, type Program } from "./program.ts";
import type { Pattern, Place } from "./syntax.ts";

/** What stands beside a place: a character of a word, another one, or nothing. */
type Neighbour = "word" | "other" | "edge";

type State = {
  /** Steps to go on with, before what stands behind this place is known. */
  steps: readonly number[];
  before: Neighbour;
  /** By class of the next unit; the last is for the end. */
  next: (State | undefined)[];
  /** By the same: whether the pattern ends before that unit. */
  matches: Uint8Array;
};

/** More are forgotten and found again: memory stays bounded whatever the pattern and the text. */
const mostStates = 1_000;
/** Steps looked at to find states, over all texts: about a second. What is remembered costs nothing. */
const mostWork = 3_000_000;

/**
 * Looks for a pattern in time that grows with the text alone: all ways to match are followed at once, and each set of them
 * that comes up is remembered. `begins`: whether a match may begin anywhere, or only where the look begins.
 */
export class Automaton {
  readonly #program: Program;
  readonly #classes: UnitClasses;
  readonly #begins: "anywhere" | "here";
  readonly #states = new Map<string, State>();
  #work = 0;

  constructor(pattern: Pattern, begins: "anywhere" | "here") {
    this.#program = compile(pattern);
    this.#begins = begins;
    this.#classes = new UnitClasses(this.#program.steps.flatMap((step) => (step.kind === "unit" ? [step.set] : [])));
  }

  /** Where the match that is over first ends, or -1. `from` and `to` are taken for the ends of a line. */
  firstEnd(text: string, from: number, to: number): number {
    const { classes, end } = this.#classes;
    let state = this.#state([this.#program.start], "edge");
    for (let at = from; at < to; at++) {
      const unitClass = classes[text.charCodeAt(at)] ?? 0;
      const next = state.next[unitClass] ?? this.#follow(state, unitClass);
      if (state.matches[unitClass]) return at;
      state = next;
    }
    this.#follow(state, end);
    return state.matches[end] ? to : -1;
  }

  /** Going backwards from `to`: the farthest place where the pattern, which must be reversed, can end. */
  farthestStart(text: string, from: number, to: number, lineTo: number): number {
    const { classes, end } = this.#classes;
    let farthest = to;
    let state = this.#state([this.#program.start], to < lineTo ? this.#kindOf(text.charCodeAt(to)) : "edge");
    for (let at = to - 1; at >= from; at--) {
      const unitClass = classes[text.charCodeAt(at)] ?? 0;
      const next = state.next[unitClass] ?? this.#follow(state, unitClass);
      if (state.matches[unitClass]) farthest = at + 1;
      if (next.steps.length === 0) return farthest;
      state = next;
    }
    this.#follow(state, end);
    return state.matches[end] ? from : farthest;
  }

  /** Whether the pattern is all of the text. */
  isWhole(text: string): boolean {
    const { classes, end } = this.#classes;
    let state = this.#state([this.#program.start], "edge");
    for (let at = 0; at < text.length; at++) {
      const unitClass = classes[text.charCodeAt(at)] ?? 0;
      state = state.next[unitClass] ?? this.#follow(state, unitClass);
      if (state.steps.length === 0) return false;
    }
    this.#follow(state, end);
    return state.matches[end] === 1;
  }

  #kindOf(unit: number): Neighbour {
    return this.#classes.kinds[this.#classes.classes[unit] ?? 0] ?? "other";
  }

  #state(steps: readonly number[], before: Neighbour): State {
    const key = `${before} ${steps.join(" ")}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= mostStates) this.#forget();
    const size = this.#classes.end + 1;
    const state: State = { steps, before, next: new Array(size), matches: new Uint8Array(size) };
    this.#states.set(key, state);
    return state;
  }

  #forget(): void {
    for (const state of this.#states.values()) state.next.fill(undefined);
    this.#states.clear();
  }

  #follow(state: State, unitClass: number): State {
    const { kinds, samples, end } = this.#classes;
    const after = unitClass === end ? "edge" : (kinds[unitClass] ?? "other");
    const { units, matches } = this.#reach(state, after);
    const unit = samples[unitClass] ?? -1;
    const reached = new Set<number>();
    for (const { set, next } of units) if (contains(set, unit)) reached.add(next);
    if (this.#begins === "anywhere") reached.add(this.#program.start);
    state.matches[unitClass] = matches ? 1 : 0;
    const next = this.#state(
      [...reached].sort((a, b) => a - b),
      after,
    );
    state.next[unitClass] = next;
    return next;
  }

  /** The steps that take a unit, and whether there is a match, once both sides of the place are known. */
  #reach({ steps: from, before }: State, after: Neighbour) {
    const units: { set: CharSet; next: number }[] = [];
    const seen = new Set<number>();
    const open = [...from];
    let matches = false;
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const step = this.#program.steps[index];
      if (step?.kind === "unit") units.push(step);
      else if (step?.kind === "fork") open.push(...step.to);
      else if (step?.kind === "match") matches = true;
      else if (step && isAt(step.place, before, after)) open.push(step.next);
    }
    this.#work += seen.size;
    if (this.#work > mostWork) throw tooCostly();
    return { units, matches };
  }
}

function tooCostly(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The expression can match in too many ways at once to be searched for.", {
    next: ["Use a simpler one: smaller numbers in {…}, fewer parts that fit the same characters."],
  });
}

function isAt(place: Place, before: Neighbour, after: Neighbour): boolean {
  const isWordEdge = (before === "word") !== (after === "word");
  switch (place) {
    case "line start":
      return before === "edge";
    case "line end":
      return after === "edge";
    case "word edge":
      return isWordEdge;
    case "no word edge":
      return !isWordEdge;
  }
}

function contains(set: CharSet, unit: number): boolean {
  return set.some(([from, to]) => unit >= from && unit <= to);
}

/** Units that no part of a pattern tells apart are one class. */
class UnitClasses {
  readonly classes = new Uint16Array(largestUnit + 1);
  readonly kinds: Neighbour[] = [];
  /** One unit of each class. */
  readonly samples: number[] = [];
  /** The class of the end. */
  readonly end: number;

  constructor(sets: CharSet[]) {
    const starts = new Set([0]);
    for (const set of [...sets, wordUnits, lineEnd])
      for (const [from, to] of set) starts.add(from).add(Math.min(to + 1, largestUnit));
    const sorted = [...starts].sort((a, b) => a - b);
    for (const [index, start] of sorted.entries()) {
      this.classes.fill(index, start, sorted[index + 1] ?? largestUnit + 1);
      this.samples.push(start);
      this.kinds.push(contains(wordUnits, start) ? "word" : "other");
    }
    this.end = sorted.length;
  }
}
