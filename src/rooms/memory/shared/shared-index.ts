import type { Collection, Memory } from "../model/memory.ts";

export type SharedQuery = {
  text: string;
  vector: Float32Array;
  type: Collection | undefined;
  agent: string | undefined;
  limit: number;
};

/** A store of vectors that other programs use too. The project's own store has every memory as well, so nothing depends on it. */
export type SharedIndex = {
  /** Sends what it does not have yet, also from earlier; false where that failed and will be tried again. */
  push(signal?: AbortSignal): Promise<boolean>;
  /** Undefined where it cannot be asked. */
  search(query: SharedQuery, signal?: AbortSignal): Promise<{ memory: Memory; score: number }[] | undefined>;
  stop(): Promise<void>;
};
