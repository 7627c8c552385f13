/** A file of the board's browser code, as the build made it. */
export type BoardFile = {
  /** With a hash of its content, so that a browser may cache it permanently: `board-1a2b3c4d.js`. */
  name: string;
  text: string;
  /** The text compressed with gzip, in base64. */
  gzip: string;
};

/** The page itself, and what it loads. */
export type BoardFiles = { script: string; style: string; worker: string; files: readonly BoardFile[] };

/** The build replaces this module by the compiled browser code; run from source, there is none. */
export const boardFiles: BoardFiles | undefined = undefined;
