import { ForgeError } from "../../../../kernel/errors.ts";
import { visible } from "../../../../kernel/visible.ts";
import {
  type CharSet,
  complement,
  digits,
  lineEnd,
  single,
  spaces,
  union,
  withBothCases,
  wordUnits,
} from "./char-set.ts";
import type { Pattern, Place } from "./syntax.ts";

const deepest = 50;
const mostRepeats = 1_000;

const classEscapes: Record<string, CharSet> = {
  d: digits,
  D: complement(digits),
  w: wordUnits,
  W: complement(wordUnits),
  s: spaces,
  S: complement(spaces),
};
const placeEscapes: Record<string, Place> = { b: "word edge", B: "no word edge" };
const controlEscapes: Record<string, string> = { t: "\t", r: "\r", f: "\f", v: "\v" };
const repeatSigns: Record<string, [min: number, max: number | undefined]> = {
  "*": [0, undefined],
  "+": [1, undefined],
  "?": [0, 1],
};

/** The usual language of regular expressions, without what cannot be matched in one pass: look-around, back-references. */
export function parseExpression(source: string, ignoreCase: boolean): Pattern {
  return new Parser(source, ignoreCase).parse();
}

/** The text itself. */
export function literal(text: string, ignoreCase: boolean): Pattern {
  const units = Array.from({ length: text.length }, (_, index) => single(text.charCodeAt(index)));
  return {
    kind: "sequence",
    parts: units.map((set) => ({ kind: "unit", set: ignoreCase ? withBothCases(set) : set })),
  };
}

class Parser {
  readonly #source: string;
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.#source = source;
    this.#ignoreCase = ignoreCase;
  }

  parse(): Pattern {
    const pattern = this.#choice();
    if (this.#at < this.#source.length) throw this.#refused("closes a group that was never opened");
    return pattern;
  }

  get #next(): string {
    return this.#source[this.#at] ?? "";
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): Pattern {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: "choice", parts };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#next !== "" && this.#next !== "|" && this.#next !== ")") parts.push(this.#repeated());
    return { kind: "sequence", parts };
  }

  #repeated(): Pattern {
    const part = this.#single();
    const bounds = this.#bounds();
    if (!bounds) return part;
    const [min, max] = bounds;
    if (part.kind === "place") throw this.#refused("repeats a place, not a character");
    // Whether it takes as much or as little as it can makes no difference to which lines match.
    if (!this.#take("?") && (this.#next === "+" || this.#next === "*" || this.#bounds()))
      throw this.#refused("repeats what is repeated already");
    return { kind: "repeat", part, min, max };
  }

  #bounds(): [min: number, max: number | undefined] | undefined {
    const sign = repeatSigns[this.#next];
    if (sign) {
      this.#at++;
      return sign;
    }
    const [whole, low, comma, high] =
      /^\{(\d{1,5})(,?)(\d{0,5})\}/.exec(this.#source.slice(this.#at, this.#at + 14)) ?? [];
    if (whole === undefined || (!comma && high)) return undefined;
    const min = Number(low);
    const max = comma ? (high ? Number(high) : undefined) : min;
    if (min > mostRepeats || (max ?? 0) > mostRepeats) throw this.#refused(`repeats more than ${mostRepeats} times`);
    if (max !== undefined && max < min) throw this.#refused("has a smallest number of repeats over its largest");
    this.#at += whole.length;
    return [min, max];
  }

  #single(): Pattern {
    const character = this.#next;
    if (character in repeatSigns) throw this.#refused("repeats nothing");
    this.#at++;
    switch (character) {
      case ".":
        return unit(complement(lineEnd));
      case "^":
        return { kind: "place", place: "line start" };
      case "$":
        return { kind: "place", place: "line end" };
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      default:
        return this.#set(single(character.charCodeAt(0)));
    }
  }

  #group(): Pattern {
    if (this.#take("?") && !this.#take(":"))
      throw this.#refused("uses (?…), of which only the plain group (?:…) is known");
    if (++this.#depth > deepest) throw this.#refused(`has groups more than ${deepest} deep`);
    const inside = this.#choice();
    if (!this.#take(")")) throw this.#refused("opens a group that is never closed");
    this.#depth--;
    return inside;
  }

  #escape(): Pattern {
    const place = placeEscapes[this.#next];
    if (place === undefined) return this.#set(this.#escaped());
    this.#at++;
    return { kind: "place", place };
  }

  /** What stands for characters after a backslash. */
  #escaped(): CharSet {
    const character = this.#next;
    this.#at++;
    const known = classEscapes[character];
    if (known) return known;
    const control = controlEscapes[character];
    if (control !== undefined) return single(control.charCodeAt(0));
    const [code, hex] =
      /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(this.#source.slice(this.#at - 1, this.#at + 4)) ?? [];
    if (code !== undefined) {
      this.#at += code.length - 1;
      return single(Number.parseInt(hex ?? code.slice(1), 16));
    }
    if (character === "n") throw this.#refused("looks for a line's end (\\n), and a match is within one line");
    if (/^[1-9k]$/.test(character)) throw this.#refused("refers back to a group, which is not known here");
    if (character === "" || /^[a-z0-9]$/i.test(character))
      throw this.#refused(`has \\${character}, which is not known here`);
    return single(character.charCodeAt(0));
  }

  #class(): Pattern {
    const isNegated = this.#take("^");
    const sets: CharSet[] = [];
    for (let isFirst = true; isFirst || this.#next !== "]"; isFirst = false) {
      if (this.#next === "") throw this.#refused("opens a class [ that is never closed");
      if (this.#next === "[" && this.#source[this.#at + 1] === ":")
        throw this.#refused("uses [:…:]; write \\w, \\d, \\s or ranges");
      sets.push(this.#member());
    }
    this.#at++;
    const set = this.#cased(union(...sets));
    return unit(isNegated ? complement(union(set, lineEnd)) : set);
  }

  #member(): CharSet {
    const from = this.#classUnit();
    const isRange = this.#next === "-" && this.#source[this.#at + 1] !== "]" && this.#at + 1 < this.#source.length;
    if (!isRange) return from;
    this.#at++;
    const to = this.#classUnit();
    const [low, high] = [from[0]?.[0] ?? 0, to[0]?.[0] ?? 0];
    if (!isSingle(from) || !isSingle(to) || high < low) throw this.#refused("has a range that is none");
    return [[low, high]];
  }

  #classUnit(): CharSet {
    const character = this.#next;
    this.#at++;
    if (character !== "\\") return single(character.charCodeAt(0));
    if (!this.#take("b")) return this.#escaped();
    throw this.#refused("has \\b in a class");
  }

  #set(set: CharSet): Pattern {
    return unit(this.#cased(set));
  }

  #cased(set: CharSet): CharSet {
    return this.#ignoreCase ? withBothCases(set) : set;
  }

  #refused(why: string): ForgeError {
    const shown = visible(JSON.stringify(this.#source.slice(0, 200)));
    return new ForgeError("VALIDATION_ERROR", `The expression ${shown} ${why} (near character ${this.#at + 1}).`, {
      details: { at: this.#at },
      next: ["Known are . [ ] ( ) | * + ? {n,m} ^ $ \\d \\w \\s \\b; leave out `regex` to search for the text itself."],
    });
  }
}

function unit(set: CharSet): Pattern {
  return set.length === 0 ? { kind: "choice", parts: [] } : { kind: "unit", set };
}

function isSingle(set: CharSet): boolean {
  return set.length === 1 && set[0]?.[0] === set[0]?.[1];
}
