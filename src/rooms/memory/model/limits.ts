import { maxEscapeFactor } from "../../../kernel/text/escape-text.ts";

const textLength = 8_000;

export const limits = {
  textLength,
  /** What an assistant is shown may have escapes in it. */
  shownLength: textLength * maxEscapeFactor,
  tags: 16,
  tagLength: 64,
  shownTagLength: 64 * maxEscapeFactor,
  agentLength: 128,
  nameLength: 256,
  pathLength: 1_024,
  queryLength: 2_000,
  results: 50,
  /** Memories of one import. */
  imported: 20_000,
  /** Of a file that memories are imported from. */
  importBytes: 64 * 1_048_576,
};
