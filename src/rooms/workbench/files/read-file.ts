import { ForgeError } from "../../../kernel/errors.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { decodeText, selectLines } from "../../../platform/files/decode-text.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { notText, secretInBinary, startBeyondEnd } from "./errors.ts";

/** About 64,000 tokens: more at once is of no use. */
export const maxCharacters = 262_144;
const maxBinaryBytes = 131_072;

export type TextPart = {
  /** Where the file really is, behind all links. */
  path: string;
  sha256: string;
  /** The entire text, without a byte order mark. */
  whole: string;
  content: string;
  totalLines: number;
  truncated: boolean;
  hasBom: boolean;
  /** The line to continue with, if the text was cut. */
  nextLine?: number;
};

/** The requested lines, as far as they fit into a result. Secrets are removed from all lines first: a part of one is not recognized. */
export async function readText(
  files: SafeRoot,
  path: string,
  { range, redactor }: { range: { from: number; to: number }; redactor: Pick<Redactor, "lines"> },
): Promise<TextPart> {
  const { bytes, sha256, path: realPath } = await files.read(path);
  const { text: whole, hasBom } = decodeFile(bytes, path);
  const { text, lines: totalLines } = selectLines(redactor.lines(whole), range);
  if (range.from > Math.max(1, totalLines)) throw startBeyondEnd(path, range.from, totalLines);
  const cut = findCut(text);
  const content = text.slice(0, cut);
  const truncated = cut < text.length;
  const isWholeLines = content.endsWith("\n");
  const nextLine = range.from + countLines(content);
  return {
    path: realPath,
    sha256,
    whole,
    content,
    totalLines,
    truncated,
    hasBom,
    ...(truncated && isWholeLines && { nextLine }),
  };
}

/** Secrets cannot be removed from base64: a file that contains one is only read as text. */
export async function readBinary(
  files: SafeRoot,
  path: string,
  redactor: Pick<Redactor, "text">,
): Promise<{ path: string; sha256: string; content: string }> {
  const { bytes, sha256, path: realPath } = await files.read(path, { maxBytes: maxBinaryBytes });
  // Without NULs, text in UTF-16 can be read too.
  const seen = bytes.toString("latin1").replaceAll("\0", "");
  if (redactor.text(seen) !== seen) throw secretInBinary(path);
  return { path: realPath, sha256, content: bytes.toString("base64") };
}

/** The text of a file; throws, with a suggestion, if it is not text. */
export function decodeFile(bytes: Buffer, path: string): { text: string; hasBom: boolean } {
  try {
    return decodeText(bytes, path);
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    throw notText(error, maxBinaryBytes);
  }
}

/** The end of the last line that fits; within a line only if the line alone is too long. */
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
