import { join, posix } from "node:path";
import { isOneEntry } from "../../../../platform/files/root/one-entry.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import { joinNames } from "../join-names.ts";

type ExecutionStart = Pick<Execution, "untrackedBefore" | "root">;

/** Files that existed before a task started in this folder and that git does not contain in their current form: the user's own. */
export class PreexistingFiles {
  readonly #root: string;
  /** By their folded name. Names that end in a slash are folders that git ignored, with everything in them. */
  readonly #names = new Map<string, string[]>();

  constructor({ untrackedBefore, root }: ExecutionStart) {
    this.#root = root;
    for (const name of untrackedBefore) {
      const alike = this.#names.get(foldCase(name));
      if (alike) alike.push(name);
      else this.#names.set(foldCase(name), [name]);
    }
  }

  /** Whether it is one by its own name. */
  isOne(path: string): boolean {
    return this.#isNamed(posix.normalize(path));
  }

  /** The same, or in a folder that is the user's: what git now sees there may have existed before. */
  has(path: string): boolean {
    if (this.#names.size === 0) return false;
    const name = posix.normalize(path);
    if (this.#isNamed(name)) return true;
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) {
      if (this.#isNamed(name.slice(0, at + 1))) return true;
    }
    return false;
  }

  /** Whether a change is in one. Tracked files are not part of an ignored folder. */
  hasChange({ path, action }: Pick<TreeChange, "path" | "action">): boolean {
    return action === "created" ? this.has(path) : this.isOne(path);
  }

  #isNamed(name: string): boolean {
    const alike = this.#names.get(foldCase(name)) ?? [];
    return alike.includes(name) || alike.some((known) => this.#isSpelling(name, known));
  }

  /** Whether two spellings are one file on this file system. If both are gone, another file shows how it treats case. */
  #isSpelling(name: string, known: string): boolean {
    const at = (path: string) => join(this.#root, path);
    return isOneEntry(at(name), at(known)) ?? isOneEntry(at(".git"), at(".GIT")) === true;
  }
}

/** Tracked files that changed and still count as the user's. */
export function describePreexistingChanges(execution: Execution, changes: readonly TreeChange[]): string[] {
  const preexisting = new PreexistingFiles(execution);
  const left = changes.filter((change) => change.action !== "created" && preexisting.hasChange(change));
  if (left.length === 0) return [];
  const names = joinNames(left.map(({ path }) => path));
  return [
    `Not committed, although changed: ${names}. A file of that name existed before the task where git did not look at it, so it is for the user to commit.`,
  ];
}

function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
