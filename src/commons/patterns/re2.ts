import { once } from "../../kernel/definitions/room.ts";

/** RE2: regular expressions whose matching time grows only with the text. Loaded when first needed. */
export const loadRe2 = once(async () => (await import("re2js")).RE2JS);

/** Undefined if it is not a valid pattern. */
export async function compilePattern(pattern: string) {
  const re2 = await loadRe2();
  try {
    return re2.compile(pattern);
  } catch {
    return undefined;
  }
}
