import type { CST } from "yaml";

/** Far more than people write. */
const maxDepth = 200;

/**
 * Passes tokens on; throws a RangeError for one that has more collections in each other than that. What makes documents of them calls
 * itself for each, and one that has used up its stack can end the program without an error that could be caught.
 */
export function* requireShallow(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    if (isTooDeep(token)) throw new RangeError("nested too deeply");
    yield token;
  }
}

/** Without calling itself. */
function isTooDeep(whole: CST.Token): boolean {
  const left: { token: CST.Token; depth: number }[] = [{ token: whole, depth: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return true;
    for (const child of childrenOf(token)) left.push({ token: child, depth: depth + 1 });
  }
  return false;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value ? [token.value] : [];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [...(key ? [key] : []), ...(value ? [value] : [])]);
}
