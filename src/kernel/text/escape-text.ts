import { mapTexts } from "./map-texts.ts";
import { joinsPictographs, pictographBefore } from "./visible.ts";

/** How many characters an escape has at most. */
export const maxEscapeFactor = 8;

const plain = /^[\t\n\x20-\x7e]*$/;

/** Control, format (bidi, zero width, tags), lone surrogates, separators, and everything else that fonts leave blank. */
const unseen = () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const keycap = "\u20e3";

/** Text with everything that hides or reorders it as `\u{…}`; line breaks and tabs stay. `hidden` counts the escapes. */
export function escapeText(text: string): { text: string; hidden: number } {
  if (plain.test(text)) return { text, hidden: 0 };
  let hidden = 0;
  const shown = text.replaceAll("\r\n", "\n").replace(unseen(), (character, at: number, whole: string) => {
    if (character === "\n" || character === "\t" || isPartOfEmoji(character, at, whole)) return character;
    hidden++;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
  return { text: shown, hidden };
}

/** A joiner between two pictographs, or a variation selector right after one, is part of the emoji. */
function isPartOfEmoji(character: string, at: number, whole: string): boolean {
  if (character === "\u200d") return joinsPictographs(whole, at);
  const before = whole.slice(Math.max(0, at - 4), at);
  if (character !== "\ufe0f" && character !== "\ufe0e") return false;
  if (whole[at + 1] === keycap) return /[0-9#*]$/.test(before);
  return pictographBefore().test(before) && !before.endsWith("\ufe0f");
}

/** Data with {@link escapeText} applied to every text: a copy, unless nothing had to be escaped. */
export function escapeContent<T>(value: T): { value: T; hidden: number } {
  if (isPlain(value)) return { value, hidden: 0 };
  let hidden = 0;
  const copy = mapTexts(value, (text) => {
    const shown = escapeText(text);
    hidden += shown.hidden;
    return shown.text;
  });
  return { value: copy, hidden };
}

/** Whether nothing in data has to be escaped, names included. Not recursive, so that any depth works. */
function isPlain(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part === "string" && !plain.test(part)) return false;
    if (part === null || typeof part !== "object") continue;
    for (const name of Object.keys(part)) pending.push(name, (part as Record<string, unknown>)[name]);
  }
  return true;
}
