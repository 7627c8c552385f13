import { createHash } from "node:crypto";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../deps.ts";
import { joinNames } from "../errors.ts";

/** As many as are committed at once. */
const maxRecorded = 20_000;

/**
 * `marks`: by these each of it is known again as long as it is as it was left; `unknown`: of how many files there is none.
 * `committed`: what it put into commits of its own.
 */
export type SetupLeftovers = { paths: string[]; total: number; unknown: number; marks: string[]; committed: string[] };

/** What the set-up command left in a new work tree and git does not ignore: nobody else has been in it yet. */
export async function findSetupLeftovers(
  { workFor }: Pick<ExecutionDeps, "workFor">,
  { root, baseCommit }: Execution,
  signal: AbortSignal,
): Promise<SetupLeftovers> {
  const work = workFor(root);
  const { commit = baseCommit } = await work.head(signal);
  const { changes, total } = await work.changes(commit, maxRecorded, signal);
  const marks: string[] = [];
  for (const { path, action } of changes) {
    const print = await work.print(path);
    if (print !== undefined && (print === "absent") === (action === "deleted")) marks.push(createMark(path, print));
  }
  const unknown = total - marks.length;
  const seen = new Set(changes.map(({ path }) => path));
  for (const { path, kind, print } of await work.uncommitted(signal)) {
    if (marks.length >= 2 * maxRecorded) break;
    if (kind === "file" && (seen.has(path) || total > changes.length)) continue;
    const now = await print();
    if (now !== undefined) marks.push(createMark(path, now));
  }
  const committed = commit === baseCommit ? [] : await work.changedBetween(baseCommit, commit, signal);
  return { paths: [...seen], total, unknown, marks, committed };
}

/** What whoever begins the task is told of it. */
export function describeSetupLeftovers({ paths, total, unknown, committed }: SetupLeftovers): string[] {
  const words: string[] = [];
  if (committed.length > 0)
    words.push(
      `The set-up command committed ${joinNames(committed)} to the task's branch: that is merged with the task. Better have it not commit.`,
    );
  if (total > maxRecorded)
    words.push(
      `The set-up command left ${total} files that git does not ignore, ${joinNames(paths, 5)} among them: more than are committed at once (${maxRecorded}), so nothing can be committed before .gitignore names what is generated.`,
    );
  else if (total > 0) {
    const rest = unknown === 0 ? "" : ` ${unknown} of these could not be remembered and count as the task's.`;
    words.push(
      `The set-up command left ${joinNames(paths)}, which git does not ignore: it stays out of the task's commits, and goes with the work tree, unless it is changed or named.${rest} Better add it to .gitignore.`,
    );
  }
  return words;
}

/** What an execution's set-up command left, and is as it was. */
export class Leftovers {
  readonly #marks: ReadonlySet<string>;

  private constructor(marks: readonly string[]) {
    this.#marks = new Set(marks);
  }

  static async of({ store }: Pick<ExecutionDeps, "store">, { id }: Pick<Execution, "id">): Promise<Leftovers> {
    return new Leftovers(await store.database.read((db) => store.readLeftovers(db, id)));
  }

  get isEmpty(): boolean {
    return this.#marks.size === 0;
  }

  has(path: string, print: string): boolean {
    return !this.isEmpty && this.#marks.has(createMark(path, print));
  }
}

function createMark(path: string, print: string): string {
  return createHash("sha256").update(`${path}\0${print}`).digest("base64url").slice(0, 22);
}
