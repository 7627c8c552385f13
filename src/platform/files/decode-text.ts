import { isUtf8 } from "node:buffer";
import { ForgeError } from "../../kernel/errors.ts";
import { showPath } from "./root/relative-path.ts";

/** Lines from 1, both ends included. */
export type LineRange = { from: number; to: number };

export type DecodedText = {
  text: string;
  /** The file starts with a byte order mark, which is not part of the text. */
  hasBom: boolean;
};

/** The text of a file's bytes. What is not text is refused without showing any of it. */
export function decodeText(bytes: Buffer, path: string): DecodedText {
  if (bytes.includes(0))
    throw notText(path, isUtf16(bytes) ? "is UTF-16 text" : "is not text (it contains zero bytes)");
  if (!isUtf8(bytes)) throw notText(path, "is not UTF-8 text");
  const hasBom = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { text: bytes.toString("utf8", hasBom ? 3 : 0), hasBom };
}

/** The lines asked for, with their line ends as they are, and how many there are in all. */
export function selectLines(text: string, range: LineRange): { text: string; lines: number } {
  let lines = 0;
  let start = text.length;
  let end = text.length;
  for (let at = 0; at < text.length; ) {
    lines++;
    const newline = text.indexOf("\n", at);
    const next = newline === -1 ? text.length : newline + 1;
    if (lines === range.from) start = at;
    if (lines === range.to) end = next;
    at = next;
  }
  return { text: text.slice(start, Math.max(start, end)), lines };
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function notText(path: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${showPath(path)} ${why}. Only UTF-8 text can be read.`, {
    details: { path, bytesAreText: false },
    next: ["Use a text file, or save this one as UTF-8."],
  });
}
