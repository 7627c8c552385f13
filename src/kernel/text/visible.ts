/** Letters and signs that are always visible; far cheaper to test for than classes of Unicode. */
const plain = /^[\x20-\x7e\xa0-\xac\xae-\u05ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u27bf]*$/;

/**
 * Characters that move a cursor, hide or reorder text: control, format (bidi, zero width, tags), lone surrogates, separators.
 * Made when first needed: what names classes of Unicode costs a start several milliseconds.
 */
const invisibles = () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export const pictographBefore = () => /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]?$/u;
const pictographAfter = () => /^\p{Extended_Pictographic}/u;

/** Text from data as one line with everything visible: nothing in it can start a line, hide, or look like something else. */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(invisibles(), (character, at: number) =>
    character === "\u200d" && joinsPictographs(text, at) ? character : escapeForSource(character),
  );
}

/** Text from data as an error quotes it. */
export function quoteVisible(text: string): string {
  return `"${visible(text.slice(0, 100))}"`;
}

/** JSON with everything visible, which stays JSON: the escapes are its own. */
export function visibleJson(json: string): string {
  return plain.test(json) ? json : json.replace(invisibles(), escapeForJson);
}

/** Between two pictographs a joiner makes one picture of them; it hides nothing. */
export function joinsPictographs(text: string, at: number): boolean {
  return (
    pictographBefore().test(text.slice(Math.max(0, at - 4), at)) && pictographAfter().test(text.slice(at + 1, at + 3))
  );
}

function escapeForJson(character: string): string {
  return Array.from({ length: character.length }, (_, index) => fourDigits(character.charCodeAt(index))).join("");
}

function escapeForSource(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code > 0xff ? fourDigits(code) : `\\x${code.toString(16).padStart(2, "0")}`;
}

function fourDigits(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
