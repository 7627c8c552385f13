import { posix } from "node:path";
import type { TreeChange } from "../../../platform/git/work-model.ts";
import type { Execution } from "../execution-model.ts";

/** Files that were here before a task was begun in this folder and that git does not hold as they are: a person's own. */
export class PersonFiles {
  /** Those that end in a slash are folders that git ignored, with all in them. */
  readonly #names: ReadonlySet<string>;

  constructor({ untrackedBefore }: Pick<Execution, "untrackedBefore">) {
    this.#names = new Set(untrackedBefore.map(folded));
  }

  /** Whether it is one by its own name. Some file systems take two spellings for one file; too careful only costs a name. */
  isOne(path: string): boolean {
    return this.#names.size > 0 && this.#names.has(folded(posix.normalize(path)));
  }

  /** The same, or in a folder that is the person's: what git comes to see there may have been there before. */
  has(path: string): boolean {
    if (this.#names.size === 0) return false;
    const name = folded(posix.normalize(path));
    if (this.#names.has(name)) return true;
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) {
      if (this.#names.has(name.slice(0, at + 1))) return true;
    }
    return false;
  }
}

/** The changes that are the execution's. */
export function ownNames(execution: Execution, changes: readonly TreeChange[]): TreeChange[] {
  const persons = new PersonFiles(execution);
  return changes.filter(({ path }) => !persons.has(path));
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
