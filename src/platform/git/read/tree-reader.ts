import { quoteName } from "../names/decode-name.ts";
import { NulRecords } from "./nul-records.ts";

/** The first files of a commit, one quoted name each, in git's order; and how many there are in all. */
export type FileList = { names: string[]; total: number };

export const treeArguments = ["-r", "-z", "--name-only", "--full-tree", "HEAD"];

/** Reads `git ls-tree` with {@link treeArguments} as it comes, keeping `limit` names. */
export class TreeReader {
  readonly #names: string[] = [];
  #total = 0;
  readonly #records: NulRecords;

  constructor(limit: number) {
    this.#records = new NulRecords((record) => {
      if (this.#total++ < limit) this.#names.push(quoteName(record));
    });
  }

  write(chunk: Buffer): void {
    this.#records.write(chunk);
  }

  toList(): FileList {
    return { names: this.#names, total: this.#total };
  }
}
