import { ForgeError } from "../../../kernel/errors.ts";
import { shownPath } from "../../../platform/files/root/relative-path.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { decodeText, selectLines } from "../../../platform/files/text.ts";

/** About 64,000 tokens: more at once helps nobody. */
export const maxCharacters = 262_144;
export const maxBinaryBytes = 131_072;

export type TextPart = {
  sha256: string;
  /** All of the text, without a byte order mark. */
  whole: string;
  content: string;
  totalLines: number;
  truncated: boolean;
  hasBom: boolean;
  /** The line to read on with, where the end was cut off. */
  nextLine?: number;
};

/** The lines asked for, as far as they fit in an answer. */
export async function readText(files: SafeRoot, path: string, range: { from: number; to: number }): Promise<TextPart> {
  const { bytes, sha256 } = await files.read(path);
  const { text: whole, hasBom } = decodeFile(bytes, path);
  const { text, lines: totalLines } = selectLines(whole, range);
  if (range.from > Math.max(1, totalLines)) throw pastTheEnd(path, range.from, totalLines);
  const cut = findCut(text);
  const content = text.slice(0, cut);
  const truncated = cut < text.length;
  const isWholeLines = content.endsWith("\n");
  const nextLine = range.from + countLines(content);
  return { sha256, whole, content, totalLines, truncated, hasBom, ...(truncated && isWholeLines && { nextLine }) };
}

/** As bytes, what is to be left out of an answer would go unseen: a file with such is read as text or not at all. */
export async function readBinary(
  files: SafeRoot,
  path: string,
  redactor: { text(text: string): string },
): Promise<{ sha256: string; content: string }> {
  const { bytes, sha256 } = await files.read(path, { maxBytes: maxBinaryBytes });
  const seen = bytes.toString("latin1");
  if (redactor.text(seen) !== seen) throw holdsSecret(path);
  return { sha256, content: bytes.toString("base64") };
}

function holdsSecret(path: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${shownPath(path)} holds what looks like a secret.`, {
    details: { path },
    next: ['Read it with encoding "utf8": the secret is left out of the answer then.'],
  });
}

/** The text of a file's bytes; what is none is refused with the way to get at it all the same. */
export function decodeFile(bytes: Buffer, path: string): { text: string; hasBom: boolean } {
  try {
    return decodeText(bytes, path);
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    throw new ForgeError(error.code, error.message, {
      details: { ...error.details },
      next: [`Use forge_read_file and forge_write_file with encoding "base64" for it, up to ${maxBinaryBytes} bytes.`],
    });
  }
}

/** Up to the end of the last line that fits; in the middle of a line only where it does not fit by itself. */
function findCut(text: string): number {
  if (text.length <= maxCharacters) return text.length;
  const lineEnd = text.lastIndexOf("\n", maxCharacters - 1);
  if (lineEnd !== -1) return lineEnd + 1;
  const isInCharacter = /[\ud800-\udbff]/.test(text[maxCharacters - 1] ?? "");
  return isInCharacter ? maxCharacters - 1 : maxCharacters;
}

function countLines(text: string): number {
  return selectLines(text, { from: 1, to: 1 }).lines;
}

function pastTheEnd(path: string, from: number, totalLines: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${shownPath(path)} has ${totalLines} lines; start_line is ${from}.`, {
    details: { path, total_lines: totalLines },
    next: [`Give a start_line of at most ${totalLines}, or none.`],
  });
}
