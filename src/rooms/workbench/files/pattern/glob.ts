import { ForgeError } from "../../../../kernel/errors.ts";
import { visible } from "../../../../kernel/visible.ts";
import { Automaton } from "./automaton.ts";
import { type CharSet, complement, largestUnit, single, union } from "./char-set.ts";
import type { Pattern } from "./syntax.ts";

const slash: CharSet = single("/".charCodeAt(0));
const any: Pattern = { kind: "unit", set: [[0, largestUnit]] };
const notSlash: Pattern = { kind: "unit", set: complement(slash) };
const anySlash: Pattern = { kind: "unit", set: slash };
const often = (part: Pattern): Pattern => ({ kind: "repeat", part, min: 0, max: undefined });
const maybe = (part: Pattern): Pattern => ({ kind: "repeat", part, min: 0, max: 1 });
const sequence = (...parts: Pattern[]): Pattern => ({ kind: "sequence", parts });

/**
 * Whether a path fits a pattern of names: `*` and `?` within a name, `**` over folders, `[a-z]`, `{a,b}`. One without a slash
 * is about the last name, wherever it is.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const body = new GlobParser(glob).parse();
  const isAboutNames = !glob.replace(/\/$/, "").includes("/");
  const pattern = isAboutNames ? sequence(maybe(sequence(often(any), anySlash)), body) : body;
  const automaton = new Automaton(pattern, "here");
  return (path) => automaton.isWhole(path);
}

class GlobParser {
  readonly #glob: string;
  #at: number;
  #depth = 0;

  constructor(glob: string) {
    this.#glob = glob;
    this.#at = /^(?:\.?\/)?/.exec(glob)?.[0].length ?? 0;
  }

  parse(): Pattern {
    return this.#parts("");
  }

  #take(text: string): boolean {
    if (!this.#glob.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Up to one of these characters, or to the end where there are none. */
  #parts(stops: string): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#glob.length && !stops.includes(this.#glob[this.#at] ?? "\0")) parts.push(this.#part());
    return sequence(...parts);
  }

  #part(): Pattern {
    const isAtName = this.#at === 0 || this.#glob[this.#at - 1] === "/";
    if (isAtName && this.#take("**/")) return maybe(sequence(often(any), anySlash));
    if (this.#take("**")) return often(any);
    if (this.#take("*")) return often(notSlash);
    if (this.#take("?")) return notSlash;
    if (this.#take("[")) return this.#class();
    if (this.#take("{")) return this.#choice();
    this.#take("\\");
    const unit = this.#glob.charCodeAt(this.#at++);
    if (Number.isNaN(unit)) throw this.#refused("ends in a backslash");
    return { kind: "unit", set: single(unit) };
  }

  #class(): Pattern {
    const isNegated = this.#take("!") || this.#take("^");
    const end = this.#glob.indexOf("]", this.#at + 1);
    if (end === -1) throw this.#refused("opens a [ that is never closed");
    const sets: CharSet[] = [];
    while (this.#at < end) {
      const from = this.#glob.charCodeAt(this.#at++);
      const isRange = this.#glob[this.#at] === "-" && this.#at + 1 < end;
      const to = isRange ? this.#glob.charCodeAt(this.#at + 1) : from;
      if (isRange) this.#at += 2;
      if (to < from) throw this.#refused("has a range that is none");
      sets.push([[from, to]]);
    }
    this.#at = end + 1;
    const set = union(...sets);
    return { kind: "unit", set: isNegated ? complement(union(set, slash)) : set };
  }

  #choice(): Pattern {
    if (++this.#depth > 10) throw this.#refused("has { } in { } too deep");
    const parts = [this.#parts(",}")];
    while (this.#take(",")) parts.push(this.#parts(",}"));
    if (!this.#take("}")) throw this.#refused("opens a { that is never closed");
    this.#depth--;
    return { kind: "choice", parts };
  }

  #refused(why: string): ForgeError {
    return new ForgeError(
      "VALIDATION_ERROR",
      `The pattern ${visible(JSON.stringify(this.#glob.slice(0, 200)))} ${why}.`,
      {
        next: ["Use a pattern like src/**/*.ts or *.{js,ts}."],
      },
    );
  }
}
