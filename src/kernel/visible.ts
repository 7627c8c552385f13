const ascii = /^[\x20-\x7e]*$/;

/**
 * Characters that move a cursor, hide or reorder text: control, format (bidi, zero width, tags), lone surrogates, separators.
 * Made when first needed: what names classes of Unicode costs a start several milliseconds.
 */
const unseen = () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text from data as one line that shows all it holds: nothing in it can start a line, hide, or pose as something else. */
export function visible(text: string): string {
  return ascii.test(text) ? text : text.replace(unseen(), asInSource);
}

/** The same for JSON, which stays JSON: the escapes are its own. */
export function visibleJson(json: string): string {
  return ascii.test(json) ? json : json.replace(unseen(), asInJson);
}

function asInJson(character: string): string {
  return Array.from({ length: character.length }, (_, index) => fourDigits(character.charCodeAt(index))).join("");
}

function asInSource(character: string): string {
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
