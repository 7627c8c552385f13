import { createHash } from "node:crypto";
import type { Execution } from "../execution-model.ts";
import { listed } from "./errors.ts";
import type { Parts } from "./parts.ts";

/** As many as are committed at once. */
const mostRemembered = 20_000;

/** `marks`: one for each file, by which it is known again as long as it is as it was left. */
export type LeftBySetUp = { paths: string[]; total: number; marks: string[] };

/** What the set-up command left in a new work tree and git does not ignore: nobody else has been in it yet. */
export async function leftBySetUp(
  { workFor }: Pick<Parts, "workFor">,
  { root, baseCommit }: Execution,
  signal: AbortSignal,
): Promise<LeftBySetUp> {
  const work = workFor(root);
  const { changes, total } = await work.changes(baseCommit, mostRemembered, signal);
  const marks: string[] = [];
  for (const { path, action } of changes) {
    const print = await work.print(path);
    if (print !== undefined && (print === "absent") === (action === "deleted")) marks.push(markOf(path, print));
  }
  return { paths: changes.map(({ path }) => path), total, marks };
}

/** What whoever begins the task is told of it. */
export function leftWords({ paths, total, marks }: LeftBySetUp): string[] {
  if (total === 0) return [];
  const unknown = total - marks.length;
  const rest = unknown === 0 ? "" : ` ${unknown} of these could not be remembered and count as the task's.`;
  const more = total > paths.length ? `, ${total} files in all` : "";
  return [
    `The set-up command left ${listed(paths)}${more}, which git does not ignore: it stays out of the task's commits, and goes with the work tree, unless it is changed or named.${rest} Better add it to .gitignore.`,
  ];
}

/** What an execution's set-up command left, and is as it was. */
export class Leftovers {
  readonly #marks: ReadonlySet<string>;

  private constructor(marks: readonly string[]) {
    this.#marks = new Set(marks);
  }

  static async of({ store }: Pick<Parts, "store">, { id }: Pick<Execution, "id">): Promise<Leftovers> {
    return new Leftovers(await store.database.read((db) => store.leftovers(db, id)));
  }

  get isEmpty(): boolean {
    return this.#marks.size === 0;
  }

  has(path: string, print: string): boolean {
    return !this.isEmpty && this.#marks.has(markOf(path, print));
  }
}

function markOf(path: string, print: string): string {
  return createHash("sha256").update(`${path}\0${print}`).digest("base64url").slice(0, 22);
}
