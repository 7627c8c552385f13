import { isUtf8 } from "node:buffer";

const maxNameBytes = 4096;

/** A name as git stores it (bytes) as text. Bytes that are no UTF-8 become `\xNN`: JSON has no other way to show them. */
export function decodeName(bytes: Buffer): string {
  const name = shorten(bytes);
  const text = isUtf8(name) ? name.toString() : escapeBytes(name, (character) => character);
  return name === bytes ? text : `${text}…`;
}

/** A name for a list with one name per line: C-quoted, as git does, where it would break the line or could be misread. */
export function quoteName(bytes: Buffer): string {
  const name = shorten(bytes);
  const more = name === bytes ? "" : "…";
  if (!isUtf8(name)) return `"${escapeBytes(name, quoteCharacter)}"${more}`;
  const text = name.toString();
  return needsQuotes.test(text) ? `"${quoteText(text)}"${more}` : text + more;
}

/** Control characters, the two line separators of Unicode, quote and backslash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const needsQuotes = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const namedEscapes: Record<string, string> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
};

function quoteText(text: string): string {
  return Array.from(text, quoteCharacter).join("");
}

function quoteCharacter(character: string): string {
  if (!needsQuotes.test(character)) return character;
  return namedEscapes[character] ?? Array.from(Buffer.from(character), octal).join("");
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}

/** Characters through `show`, stray bytes as `\xNN`. */
function escapeBytes(bytes: Buffer, show: (character: string) => string): string {
  let text = "";
  for (let index = 0; index < bytes.length; ) {
    const length = characterLength(bytes, index);
    if (length === 0) text += `\\x${bytes.toString("hex", index, index + 1).toUpperCase()}`;
    else text += show(bytes.toString("utf8", index, index + length));
    index += Math.max(1, length);
  }
  return text;
}

/** How many bytes the character at `index` has; 0 where there is none. */
function characterLength(bytes: Buffer, index: number): number {
  for (let length = 1; length <= 4 && index + length <= bytes.length; length++)
    if (isUtf8(bytes.subarray(index, index + length))) return length;
  return 0;
}

/** The same buffer, or its beginning up to a whole character: a crafted tree can hold names of any length. */
function shorten(bytes: Buffer): Buffer {
  if (bytes.length <= maxNameBytes) return bytes;
  let end = maxNameBytes;
  while (end > maxNameBytes - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
