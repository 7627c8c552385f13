const charactersPerToken = 4;
const emptyLength = JSON.stringify({ existing_files: {}, related_code_patterns: [], omitted: [] }).length;
const patternShare = 0.3;
const maxOmittedCharacters = 1_000;
/** Enough for the number of names. */
const minOmittedCharacters = 20;

export type TaskContext = {
  /** A line on each file, by path. */
  existing_files: Record<string, string>;
  related_code_patterns: string[];
  /** What did not fit. */
  omitted: string[];
};

/** As much as fits into the budget as JSON, the first of each kind. What does not fit is named as far as possible. */
export function fitBudget(
  files: readonly { path: string; line: string }[],
  patterns: readonly string[],
  left: readonly string[],
  budgetTokens: number,
): TaskContext {
  const budget = new CharacterBudget(budgetTokens * charactersPerToken - emptyLength);
  const reserved = Math.min(maxOmittedCharacters, Math.max(minOmittedCharacters, Math.floor(budget.left / 10)));
  const firstPatterns = budget.fill(patterns, textCost, Math.floor((budget.left - reserved) * patternShare));
  const shown = budget.fill(files, ({ path, line }) => textCost(path) + textCost(line), budget.left - reserved);
  const morePatterns = budget.fill(patterns.slice(firstPatterns.length), textCost, budget.left - reserved);
  const shownPatterns = [...firstPatterns, ...morePatterns];
  const omitted = [
    ...files.slice(shown.length).map(({ path }) => path),
    ...patterns.slice(shownPatterns.length),
    ...left,
  ];
  return {
    existing_files: Object.fromEntries(shown.map(({ path, line }) => [path, line])),
    related_code_patterns: shownPatterns,
    omitted: fitNames(omitted, Math.min(maxOmittedCharacters, budget.left)),
  };
}

/** The first names, and the number of the others. */
function fitNames(names: readonly string[], characters: number): string[] {
  const all = new CharacterBudget(characters).fill(names, textCost, characters);
  if (all.length === names.length) return all;
  const andMore = (count: number) => `and ${count} more`;
  const withoutCount = characters - textCost(andMore(names.length));
  const some = new CharacterBudget(withoutCount).fill(names, textCost, withoutCount);
  return withoutCount < 0 ? [] : [...some, andMore(names.length - some.length)];
}

/** Including the comma or colon after it. */
function textCost(text: string): number {
  return JSON.stringify(text).length + 1;
}

class CharacterBudget {
  left: number;

  constructor(characters: number) {
    this.left = Math.max(0, characters);
  }

  /** Takes items from the front as long as they fit. */
  fill<T>(items: readonly T[], cost: (item: T) => number, max: number): T[] {
    let allowed = Math.min(max, this.left);
    const end = items.findIndex((item) => {
      allowed -= cost(item);
      return allowed < 0;
    });
    const taken = end === -1 ? [...items] : items.slice(0, end);
    this.left -= taken.reduce((sum, item) => sum + cost(item), 0);
    return taken;
  }
}
