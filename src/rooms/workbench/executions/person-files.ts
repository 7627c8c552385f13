import { posix } from "node:path";
import type { TreeChange } from "../../../platform/git/work-model.ts";
import type { Execution } from "../execution-model.ts";

/** Files that were here, unknown to git, before a task was begun in this folder: a person's own. */
export class PersonFiles {
  readonly #names: ReadonlySet<string>;

  constructor({ untrackedBefore }: Pick<Execution, "untrackedBefore">) {
    this.#names = new Set(untrackedBefore.map(folded));
  }

  /** Some file systems take two spellings for one file; being too careful only costs a name. */
  has(path: string): boolean {
    return this.#names.size > 0 && this.#names.has(folded(posix.normalize(path)));
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
