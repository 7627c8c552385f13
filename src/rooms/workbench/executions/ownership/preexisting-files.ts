import { join, posix } from "node:path";
import { isOneEntry } from "../../../../platform/files/root/one-entry.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import { joinNames } from "../errors.ts";

type ExecutionStart = Pick<Execution, "untrackedBefore" | "root">;

/** Files that were here before a task was begun in this folder and that git does not hold as they are: a person's own. */
export class PreexistingFiles {
  readonly #root: string;
  /** By what all their spellings share. Those that end in a slash are folders that git ignored, with all in them. */
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

  /** The same, or in a folder that is the person's: what git comes to see there may have been there before. */
  has(path: string): boolean {
    if (this.#names.size === 0) return false;
    const name = posix.normalize(path);
    if (this.#isNamed(name)) return true;
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) {
      if (this.#isNamed(name.slice(0, at + 1))) return true;
    }
    return false;
  }

  /** Whether a change is in one. What git holds was not passed over with the folder it is in. */
  hasChange({ path, action }: Pick<TreeChange, "path" | "action">): boolean {
    return action === "created" ? this.has(path) : this.isOne(path);
  }

  #isNamed(name: string): boolean {
    const alike = this.#names.get(foldCase(name)) ?? [];
    return alike.includes(name) || alike.some((known) => this.#isSpelling(name, known));
  }

  /** Whether two spellings are one file: here, and not anywhere. Where both are gone, the file system is asked of another. */
  #isSpelling(name: string, known: string): boolean {
    const at = (path: string) => join(this.#root, path);
    return isOneEntry(at(name), at(known)) ?? isOneEntry(at(".git"), at(".GIT")) === true;
  }
}

/** The changes that are the execution's. */
export function excludePreexisting(execution: Execution, changes: readonly TreeChange[]): TreeChange[] {
  const persons = new PreexistingFiles(execution);
  return changes.filter((change) => !persons.hasChange(change));
}

/** For whoever commits: what git holds, is changed, and counts as the person's all the same. */
export function describePreexistingChanges(execution: Execution, changes: readonly TreeChange[]): string[] {
  const persons = new PreexistingFiles(execution);
  const left = changes.filter((change) => change.action !== "created" && persons.hasChange(change));
  if (left.length === 0) return [];
  const names = joinNames(left.map(({ path }) => path));
  return [
    `Not committed, though changed: ${names}. A file of that name was here before the task, where git did not look at it, so it is the person's to commit.`,
  ];
}

function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
