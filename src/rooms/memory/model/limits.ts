export const limits = {
  textLength: 8_000,
  idLength: 36,
  tags: 16,
  tagLength: 64,
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
