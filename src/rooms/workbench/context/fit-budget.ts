const charactersPerToken = 4;
const emptyLength = JSON.stringify({ existing_files: {}, related_code_patterns: [], omitted: [] }).length;
const patternShare = 0.3;
const maxOmittedCharacters = 1_000;
/** Enough to say how many there are. */
const minOmittedCharacters = 20;

export type TaskContext = {
  /** By path, with a line on what each is. */
  existing_files: Record<string, string>;
  related_code_patterns: string[];
  /** What would have been there with more room. */
  omitted: string[];
};

/** As much as fits in so many tokens as JSON, the first of each kind; what does not is named as far as there is room. */
export function fitBudget(
  files: readonly { path: string; line: string }[],
  patterns: readonly string[],
  left: readonly string[],
  budgetTokens: number,
): TaskContext {
  const room = new CharacterBudget(budgetTokens * charactersPerToken - emptyLength);
  const reserved = Math.min(maxOmittedCharacters, Math.max(minOmittedCharacters, Math.floor(room.left / 10)));
  const firstPatterns = room.fill(patterns, textCost, Math.floor((room.left - reserved) * patternShare));
  const shown = room.fill(files, ({ path, line }) => textCost(path) + textCost(line), room.left - reserved);
  const morePatterns = room.fill(patterns.slice(firstPatterns.length), textCost, room.left - reserved);
  const shownPatterns = [...firstPatterns, ...morePatterns];
  const omitted = [
    ...files.slice(shown.length).map(({ path }) => path),
    ...patterns.slice(shownPatterns.length),
    ...left,
  ];
  return {
    existing_files: Object.fromEntries(shown.map(({ path, line }) => [path, line])),
    related_code_patterns: shownPatterns,
    omitted: fitNames(omitted, Math.min(maxOmittedCharacters, room.left)),
  };
}

/** The first names, and how many there are besides. */
function fitNames(names: readonly string[], characters: number): string[] {
  const all = new CharacterBudget(characters).fill(names, textCost, characters);
  if (all.length === names.length) return all;
  const andMore = (count: number) => `and ${count} more`;
  const withoutCount = characters - textCost(andMore(names.length));
  const some = new CharacterBudget(withoutCount).fill(names, textCost, withoutCount);
  return withoutCount < 0 ? [] : [...some, andMore(names.length - some.length)];
}

/** With the comma or colon that follows it. */
function textCost(text: string): number {
  return JSON.stringify(text).length + 1;
}

class CharacterBudget {
  left: number;

  constructor(characters: number) {
    this.left = Math.max(0, characters);
  }

  /** Takes from the front as long as there is room. */
  fill<T>(items: readonly T[], cost: (item: T) => number, most: number): T[] {
    let allowed = Math.min(most, this.left);
    const end = items.findIndex((item) => {
      allowed -= cost(item);
      return allowed < 0;
    });
    const taken = end === -1 ? [...items] : items.slice(0, end);
    this.left -= taken.reduce((sum, item) => sum + cost(item), 0);
    return taken;
  }
}
