/** A part of a text: words, or a link whose host is shown apart from the rest. */
type TextPart = { text: string } | { href: string; before: string; host: string; after: string };

const links = /https?:\/\/[^\s<>"'`]+/g;
const trailing = ".,;:!?)]}";
const plain = /^[\t\n\x20-\x7e]*$/;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const partOfEmoji =
  /(?<=\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]?)(?:\ufe0f|\u200d(?=\p{Extended_Pictographic}))/gu;

/** Text by anyone, with what hides or reorders it made visible as `\u{…}`. */
export function showHidden(text: string): string {
  if (plain.test(text)) return text;
  const kept = new Set([...text.matchAll(partOfEmoji)].map(({ index }) => index));
  return text
    .replace(unseen, (character, at: number) =>
      character === "\n" || character === "\t" || kept.has(at) || (character === "\r" && text[at + 1] === "\n")
        ? character
        : `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )
    .replaceAll("\r\n", "\n");
}

/** Splits a text at its web addresses. Nothing in it becomes markup. */
export function splitText(given: string): TextPart[] {
  const text = showHidden(given);
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(links)) {
    const address = trimEnd(found);
    const link = readLink(address);
    if (!link) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push(link);
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Without the punctuation of the sentence that an address ends. */
function trimEnd(found: string): string {
  let { length } = found;
  while (trailing.includes(found.charAt(length - 1)) && length > 0) length--;
  return found.slice(0, length);
}

/** The host is what the browser would open, whatever stands before an `@` or looks like it. */
function readLink(address: string): TextPart | undefined {
  if (!URL.canParse(address)) return undefined;
  const { href, protocol, host, username, password, pathname, search, hash } = new URL(address);
  const user = username === "" && password === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
  return { href, before: `${protocol}//${user}`, host, after: `${pathname}${search}${hash}`.replace(/^\/$/, "") };
}
