import { loadRe2 } from "./re2.ts";

export type PathMatcher = (path: string) => boolean;

type GlobOptions = {
  /** A pattern without a slash is about the last name of a path, wherever the file is. */
  matchNames?: boolean;
};

const maxNesting = 10;

export function isGlob(word: string): boolean {
  return /[*?{]/.test(word);
}

/** A glob that fits this path only. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{},!]/g, "\\$&");
}

/**
 * Compiles a glob: `*` and `?` within a name, `**` as a name of its own for any number of folders, `[a-z]`, `[!a-z]`, `{a,b}`,
 * and a backslash before a character that is meant literally. Returns what is wrong with a glob that is not valid.
 */
export async function compileGlob(
  glob: string,
  { matchNames = false }: GlobOptions = {},
): Promise<PathMatcher | string> {
  const RE2JS = await loadRe2();
  const parser = new GlobParser(glob.replace(/^\.?\//, ""));
  const source = parser.parse();
  if (parser.problem !== undefined) return parser.problem;
  const isAboutNames = matchNames && !glob.replace(/\/$/, "").includes("/");
  const expression = RE2JS.compile(isAboutNames ? `(?:.*/)?${source}` : source, RE2JS.DOTALL);
  return (path) => expression.matches(path);
}

/** Turns a glob into an RE2 expression. */
class GlobParser {
  problem: string | undefined;
  readonly #glob: string;
  #at = 0;
  #depth = 0;

  constructor(glob: string) {
    this.#glob = glob;
  }

  parse(): string {
    return this.#parseUntil("");
  }

  #take(text: string): boolean {
    if (!this.#glob.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Up to one of these characters, or to the end. */
  #parseUntil(stops: string): string {
    let source = "";
    while (this.#at < this.#glob.length && !stops.includes(this.#glob[this.#at] ?? "\0")) source += this.#parsePart();
    return source;
  }

  #parsePart(): string {
    if (this.#isNameStart() && this.#take("**/")) return "(?:[^/]*/)*";
    if (this.#isNameStart() && /^\*\*(?=$|[,}])/.test(this.#glob.slice(this.#at, this.#at + 3))) {
      this.#at += 2;
      return ".*";
    }
    if (this.#take("*")) return "[^/]*";
    if (this.#take("?")) return "[^/]";
    if (this.#take("[")) return this.#parseClass();
    if (this.#take("{")) return this.#parseChoice();
    this.#take("\\");
    const character = this.#glob.codePointAt(this.#at);
    if (character === undefined) return this.#fail("ends in a backslash");
    const text = String.fromCodePoint(character);
    this.#at += text.length;
    return escapeCharacter(text);
  }

  #isNameStart(): boolean {
    return this.#at === 0 || "/{,".includes(this.#glob[this.#at - 1] ?? "");
  }

  #parseClass(): string {
    const isNegated = this.#take("!") || this.#take("^");
    const end = this.#glob.indexOf("]", this.#at + 1);
    if (end === -1) return this.#fail("has a [ without its ]");
    const members = [...this.#glob.slice(this.#at, end)];
    this.#at = end + 1;
    let source = "";
    for (let index = 0; index < members.length; index++) {
      const from = members[index] ?? "";
      const to = members[index + 1] === "-" ? members[index + 2] : undefined;
      if (to === undefined) source += escapeCharacter(from);
      else {
        if ((to.codePointAt(0) ?? 0) < (from.codePointAt(0) ?? 0))
          return this.#fail(`has the range ${from}-${to}, which is empty`);
        source += `${escapeCharacter(from)}-${escapeCharacter(to)}`;
        index += 2;
      }
    }
    return isNegated ? `[^${source}/]` : `[${source}]`;
  }

  #parseChoice(): string {
    if (++this.#depth > maxNesting) return this.#fail("has too many nested { }");
    const choices = [this.#parseUntil(",}")];
    while (this.#take(",")) choices.push(this.#parseUntil(",}"));
    if (!this.#take("}")) return this.#fail("has a { without its }");
    this.#depth--;
    return `(?:${choices.join("|")})`;
  }

  #fail(problem: string): string {
    this.problem ??= problem;
    this.#at = this.#glob.length;
    return "";
  }
}

/** A character that stands for itself, also within brackets. */
function escapeCharacter(character: string): string {
  return /^[\w/]$/.test(character) ? character : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
