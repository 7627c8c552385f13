import fc from "fast-check";

const between = (min: number, max: number) => fc.integer({ min, max }).map((point) => String.fromCodePoint(point));

/**
 * Any character but half a surrogate pair, as the `unit` of `fc.string`. fast-check's own "binary" keeps a table of 85 MB, and every
 * process that a worker then starts costs more.
 */
export const anyCharacter = fc.oneof(
  { weight: 3, arbitrary: between(0, 0xff) },
  { weight: 2, arbitrary: between(0x100, 0xd7ff) },
  { weight: 2, arbitrary: between(0xe000, 0x10ffff) },
);
