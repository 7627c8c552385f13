import type { AttachedEnd } from "../../../../commons/cli/attached-end.ts";

/** A text that the person is writing, in a file that only they can read. */
export type Draft = {
  path: string;
  /** Opens it, and what was laid beside it, in the editor; resolves when that has ended. */
  edit(signal: AbortSignal): Promise<AttachedEnd>;
  read(): Promise<string>;
  /** Whether it is still there: what runs as an editor may do anything. */
  exists(): boolean;
  write(text: string): Promise<void>;
  /** Lays another text beside it, to be opened with it; returns its path. */
  layBeside(name: string, text: string): Promise<string>;
  /** Removes it with all that is beside it, an editor's copies included. */
  remove(): Promise<void>;
};

export type Editor = {
  /** `name` is the file's, without an ending. Throws where the editor is not to be found. */
  open(name: string, text: string): Promise<Draft>;
};
