/** Whether a path fits a pattern of a shell: `*`, `?`, `**` and `{a,b}`. Takes no longer than the two are long, squared. */
export function matchesGlob(path: string, pattern: string): boolean {
  const names = path.split("/");
  return alternatives(pattern.replace(/^\.\//, "")).some((one) => fits(names, one.split("/")));
}

export function isGlob(word: string): boolean {
  return /[*?{]/.test(word);
}

const mostAlternatives = 100;

function alternatives(pattern: string): string[] {
  const found: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined && found.length < mostAlternatives; next = waiting.pop()) {
    if (waiting.length > mostAlternatives) break;
    const innermost = /\{([^{}]*)\}/.exec(next);
    if (!innermost) found.push(next);
    else {
      const [whole, inner = ""] = innermost;
      const [before, after] = [next.slice(0, innermost.index), next.slice(innermost.index + whole.length)];
      waiting.push(...inner.split(",").map((one) => before + one + after));
    }
  }
  return found;
}

function fits(names: readonly string[], pattern: readonly string[]): boolean {
  return wild(
    names,
    pattern,
    (part) => part === "**",
    (name, part) => part !== undefined && nameFits(name, part),
  );
}

function nameFits(name: string, pattern: string): boolean {
  return wild(
    [...name],
    [...pattern],
    (part) => part === "*",
    (letter, part) => part === "?" || part === letter,
  );
}

/** Fits a list to a pattern with gaps of any length, going back to the latest gap only, which suffices. */
function wild<T>(
  list: readonly T[],
  pattern: readonly string[],
  isGap: (part: string | undefined) => boolean,
  isSame: (item: T, part: string | undefined) => boolean,
): boolean {
  let [at, place] = [0, 0];
  let gap: { place: number; at: number } | undefined;
  while (at < list.length) {
    const item = list[at];
    if (isGap(pattern[place])) {
      gap = { place, at };
      place++;
    } else if (place < pattern.length && item !== undefined && isSame(item, pattern[place])) {
      at++;
      place++;
    } else if (gap) {
      gap.at++;
      at = gap.at;
      place = gap.place + 1;
    } else return false;
  }
  while (isGap(pattern[place])) place++;
  return place === pattern.length;
}
