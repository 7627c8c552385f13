import type { TreeChange } from "../../../platform/git/work-model.ts";
import type { Execution } from "../execution-model.ts";
import { isInPlace, type Parts } from "./parts.ts";
import { ownNames } from "./person-files.ts";
import { Leftovers } from "./set-up-left.ts";

/** The changes in an execution's folder, by whose they are. A person's files from before it began are in none. */
export type WhoseChanges = {
  own: TreeChange[];
  /** Made in place and past Forge's tools, in an execution that works with them: anybody's. */
  others: TreeChange[];
  /** Written through Forge's tools, and changed by somebody else as well. */
  mixed: TreeChange[];
  /** Left by the set-up command, and as it left them. */
  leftovers: TreeChange[];
};

type Here = Pick<Parts, "store" | "workFor">;

/**
 * In a work tree of its own all is the execution's but what its set-up left. In place a person works too: there, where the
 * assistant writes with Forge's tools, only what these wrote is; where it has tools of its own, nothing tells the two apart.
 */
export async function whoseChanges(
  here: Here,
  execution: Execution,
  changes: readonly TreeChange[],
): Promise<WhoseChanges> {
  const candidates = ownNames(execution, changes);
  return isInPlace(execution) ? inPlace(here, execution, candidates) : apart(here, execution, candidates);
}

async function inPlace(
  { store, workFor }: Here,
  { id, root }: Execution,
  changes: TreeChange[],
): Promise<WhoseChanges> {
  const whose: WhoseChanges = { own: [], others: [], mixed: [], leftovers: [] };
  const written = await store.database.read((db) => store.written(db, id));
  if (written.length === 0) return { ...whose, own: changes };
  const work = workFor(root);
  const hashes = new Map(written.map(({ path, sha256 }) => [path, sha256]));
  for (const change of changes) {
    if (!hashes.has(change.path)) whose.others.push(change);
    else if (isPrintOf(await work.print(change.path), hashes.get(change.path))) whose.own.push(change);
    else whose.mixed.push(change);
  }
  return whose;
}

/** What an earlier version of Forge wrote has no hash; nobody can tell any more. */
function isPrintOf(print: string | undefined, sha256: string | undefined): boolean {
  return sha256 === undefined || print === `file:${sha256}` || print === `program:${sha256}`;
}

async function apart(here: Here, execution: Execution, changes: TreeChange[]): Promise<WhoseChanges> {
  const whose: WhoseChanges = { own: [], others: [], mixed: [], leftovers: [] };
  const leftovers = await Leftovers.of(here, execution);
  if (leftovers.isEmpty) return { ...whose, own: changes };
  const work = here.workFor(execution.root);
  for (const change of changes) {
    const print = await work.print(change.path);
    const isLeft = print !== undefined && leftovers.has(change.path, print);
    (isLeft ? whose.leftovers : whose.own).push(change);
  }
  return whose;
}

export function pathsOf(changes: readonly TreeChange[]): string[] {
  return changes.map(({ path }) => path);
}
