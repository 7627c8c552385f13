import { formatLimits } from "../errors.ts";

export type Fault = { offset: number; what: string; expected: string };

const space = new Set([" ", "\t", "\n", "\r"]);
const literals = ["true", "false", "null"];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const afterBackslash = new Set(['"', "\\", "/", "b", "f", "n", "r", "t"]);
const fourDigits = /[0-9a-fA-F]{4}/y;

type Expects = "value" | "first value" | "key" | "first key" | "comma";

const expectations: Record<Expects, string> = {
  value: "a value",
  "first value": "a value or ]",
  key: "a name in double quotes",
  "first key": "a name in double quotes or }",
  comma: "a comma or the closing bracket",
};

/**
 * Where a text stops being JSON, or exceeds the limits: JSON.parse does not name the position, and deep nesting has to be
 * found before anything walks it. Undefined if the text can be parsed.
 */
export function jsonFault(text: string, depth: number): Fault | undefined {
  return new Scan(text, depth).run();
}

class Scan {
  readonly #text: string;
  readonly #depth: number;
  readonly #open: ("{" | "[")[] = [];
  #at = 0;
  #parts = 0;
  #expects: Expects = "value";

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  run(): Fault | undefined {
    for (let done = false; !done; done = this.#open.length === 0) {
      const fault = this.#step();
      if (fault) return fault;
    }
    this.#skipSpace();
    return this.#at < this.#text.length ? this.#fault("there is text after the JSON", "nothing more") : undefined;
  }

  #step(): Fault | undefined {
    this.#skipSpace();
    const character = this.#text[this.#at];
    if (character === undefined) return this.#fault("the JSON ends too early", expectations[this.#expects]);
    if (this.#expects === "comma") return this.#afterValue(character);
    if (this.#expects === "first value" && character === "]") return this.#close();
    if (this.#expects === "first key" && character === "}") return this.#close();
    if (this.#expects === "key" || this.#expects === "first key") return this.#key(character);
    return this.#value(character);
  }

  #afterValue(character: string): Fault | undefined {
    const inside = this.#open.at(-1);
    if (character === (inside === "{" ? "}" : "]")) return this.#close();
    if (character !== ",") return this.#unexpected();
    this.#at++;
    this.#expects = inside === "{" ? "key" : "value";
    return undefined;
  }

  #close(): undefined {
    this.#at++;
    this.#open.pop();
    this.#expects = "comma";
  }

  #key(character: string): Fault | undefined {
    if (character !== '"') return this.#unexpected();
    const fault = this.#string();
    if (fault) return fault;
    this.#skipSpace();
    if (this.#text[this.#at] !== ":") return this.#fault("a name has no value", "a colon");
    this.#at++;
    this.#expects = "value";
    return undefined;
  }

  #value(character: string): Fault | undefined {
    if (character === "{" || character === "[") return this.#enter(character);
    this.#expects = "comma";
    if (character === '"') return this.#string();
    const literal = literals.find((word) => this.#text.startsWith(word, this.#at));
    number.lastIndex = this.#at;
    const length = literal?.length ?? number.exec(this.#text)?.[0].length;
    if (length === undefined) return this.#fault("this is not a JSON value", expectations.value);
    this.#at += length;
    return undefined;
  }

  #enter(bracket: "{" | "["): Fault | undefined {
    this.#open.push(bracket);
    this.#parts++;
    if (this.#open.length > this.#depth)
      return this.#fault(`it is nested deeper than ${formatLimits.depth} levels`, `at most ${formatLimits.depth}`);
    if (this.#parts > formatLimits.parts)
      return this.#fault("it contains too many objects and lists", `at most ${formatLimits.parts}`);
    this.#at++;
    this.#expects = bracket === "{" ? "first key" : "first value";
    return undefined;
  }

  #string(): Fault | undefined {
    for (this.#at++; ; this.#at++) {
      const character = this.#text[this.#at];
      if (character === undefined) return this.#fault("a string is not closed", "a double quote");
      if (character === '"') break;
      if (character < " ") return this.#fault("a string contains a control character", "an escape like \\n");
      if (character === "\\" && !this.#escape())
        return this.#fault("this is not a valid JSON escape", "one like \\n or \\u00e9");
    }
    this.#at++;
    return undefined;
  }

  #escape(): boolean {
    this.#at++;
    const character = this.#text[this.#at] ?? "";
    if (character !== "u") return afterBackslash.has(character);
    fourDigits.lastIndex = this.#at + 1;
    if (!fourDigits.test(this.#text)) return false;
    this.#at += 4;
    return true;
  }

  #skipSpace(): void {
    while (space.has(this.#text[this.#at] ?? "")) this.#at++;
  }

  #unexpected(): Fault {
    return this.#fault("this is unexpected", expectations[this.#expects]);
  }

  #fault(what: string, expected: string): Fault {
    return { offset: this.#at, what, expected };
  }
}
