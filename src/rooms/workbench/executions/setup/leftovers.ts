import { createHash } from "node:crypto";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { joinNames } from "../join-names.ts";

/** As many as can be committed at once. */
const maxRecorded = 20_000;

/**
 * What the set-up command left in a new work tree. `marks`: identify each file as long as it is unchanged; `unknown`: number of
 * files without one; `committed`: files that the command committed itself.
 */
export type SetupLeftovers = { paths: string[]; total: number; unknown: number; marks: string[]; committed: string[] };

/** Reads them right after the command, before anyone else works in the folder. Ignored files are not among them. */
export async function findSetupLeftovers(
  { workFor }: Pick<ExecutionDeps, "workFor">,
  { root, baseCommit }: Execution,
  signal: AbortSignal,
): Promise<SetupLeftovers> {
  const work = workFor(root);
  const { commit = baseCommit } = await work.head(signal);
  const { changes, total } = await work.changes.list({ since: commit, limit: maxRecorded }, signal);
  const marks: string[] = [];
  for (const { path, action } of changes) {
    const print = await work.files.fingerprint(path);
    if (print !== undefined && (print === "absent") === (action === "deleted")) marks.push(createMark(path, print));
  }
  const unknown = total - marks.length;
  const seen = new Set(changes.map(({ path }) => path));
  for (const { path, kind, print } of await work.files.uncommitted(signal)) {
    if (marks.length >= 2 * maxRecorded) break;
    if (kind === "file" && (seen.has(path) || total > changes.length)) continue;
    const now = await print();
    if (now !== undefined) marks.push(createMark(path, now));
  }
  const committed = commit === baseCommit ? [] : await work.commits.changedNames(baseCommit, commit, signal);
  return { paths: [...seen], total, unknown, marks, committed };
}

/** Warnings for whoever starts the task. */
export function describeSetupLeftovers({ paths, total, unknown, committed }: SetupLeftovers): string[] {
  const warnings: string[] = [];
  if (committed.length > 0)
    warnings.push(
      `The set-up command committed ${joinNames(committed)} to the task's branch, so it will be merged with the task. Change the command so that it does not commit.`,
    );
  if (total > maxRecorded)
    warnings.push(
      `The set-up command left ${total} files that git does not ignore, such as ${joinNames(paths, 5)}. At most ${maxRecorded} can be committed at once, so add generated files to .gitignore before you commit.`,
    );
  else if (total > 0) {
    const rest = unknown === 0 ? "" : ` ${unknown} of them could not be recorded and count as the task's.`;
    warnings.push(
      `The set-up command left ${joinNames(paths)}, which git does not ignore. It is not committed and is removed with the work tree, unless you change or name it.${rest} Add it to .gitignore.`,
    );
  }
  return warnings;
}

/** What an execution's set-up command left and nothing has changed since. */
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
