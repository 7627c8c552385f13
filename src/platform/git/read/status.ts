import { decodeName } from "../names/decode-name.ts";
import { FirstNames, type NameList } from "../names/first-names.ts";
import { NulRecords } from "./nul-records.ts";

export type RepositoryStatus = {
  /** Undefined where HEAD is detached. */
  branch: string | undefined;
  /** Undefined before the first commit. */
  commit: string | undefined;
  /** Differ in the work tree from the index, deleted and unmerged ones included. */
  modified: NameList;
  untracked: NameList;
  /** Differ in the index from HEAD. */
  staged: NameList;
};

export const statusArguments = [
  "--porcelain=v2",
  "--branch",
  "--no-ahead-behind",
  "-z",
  "--untracked-files=all",
  "--find-renames",
];

const space = 0x20;
const unchanged = ".";

/** Reads `git status` with {@link statusArguments} as it comes, keeping `limit` names of each kind. */
export class StatusReader {
  readonly #records = new NulRecords((record) => this.#read(record));
  readonly #modified: FirstNames;
  readonly #untracked: FirstNames;
  readonly #staged: FirstNames;
  #branch: string | undefined;
  #commit: string | undefined;
  #nextIsOldName = false;

  constructor(limit: number) {
    this.#modified = new FirstNames(limit);
    this.#untracked = new FirstNames(limit);
    this.#staged = new FirstNames(limit);
  }

  write(chunk: Buffer): void {
    this.#records.write(chunk);
  }

  toStatus(): RepositoryStatus {
    return {
      branch: this.#branch,
      commit: this.#commit,
      modified: this.#modified.toList(),
      untracked: this.#untracked.toList(),
      staged: this.#staged.toList(),
    };
  }

  #read(record: Buffer): void {
    if (this.#nextIsOldName) {
      this.#nextIsOldName = false;
      return;
    }
    const kind = record.toString("latin1", 0, 1);
    this.#nextIsOldName = kind === "2";
    if (kind === "#") this.#header(record);
    else if (kind === "1") this.#change(record, 8);
    else if (kind === "2") this.#change(record, 9);
    else if (kind === "u") this.#modified.add(nameAfter(record, 10));
    else if (kind === "?") this.#untracked.add(nameAfter(record, 1));
  }

  #header(record: Buffer): void {
    const name = record.toString("latin1", 0, Math.max(0, nthSpace(record, 2)));
    if (name === "# branch.oid") this.#commit = unlessEqual(nameAfter(record, 2), "(initial)");
    if (name === "# branch.head") this.#branch = unlessEqual(nameAfter(record, 2), "(detached)");
  }

  #change(record: Buffer, fields: number): void {
    const name = nameAfter(record, fields);
    if (record.toString("latin1", 2, 3) !== unchanged) this.#staged.add(name);
    if (record.toString("latin1", 3, 4) !== unchanged) this.#modified.add(name);
  }
}

function unlessEqual(value: string, unknown: string): string | undefined {
  return value === unknown ? undefined : value;
}

/** The name that follows so many fields; it may itself hold spaces. */
function nameAfter(record: Buffer, fields: number): string {
  return decodeName(record.subarray(nthSpace(record, fields) + 1));
}

function nthSpace(record: Buffer, count: number): number {
  let at = -1;
  for (let seen = 0; seen < count; seen++) {
    at = record.indexOf(space, at + 1);
    if (at < 0) return record.length;
  }
  return at;
}
