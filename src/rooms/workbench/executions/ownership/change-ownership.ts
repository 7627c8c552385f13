import type { Principal } from "../../../../kernel/principal.ts";
import type { Seen } from "../../../../platform/git/index/prints.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../deps.ts";
import { Leftovers } from "../setup/leftovers.ts";
import { excludePreexisting } from "./preexisting-files.ts";

/** The changes in an execution's folder, by whose they are. A person's files from before it began are in none. */
export type OwnedChanges = {
  own: TreeChange[];
  /** Made in place and past Forge's tools, in an execution that works with them: anybody's. */
  others: TreeChange[];
  /** Written through Forge's tools, and changed, staged or given another mode by somebody else as well. */
  mixed: TreeChange[];
  /** Left by the set-up command, and as it left them. */
  leftovers: TreeChange[];
  /** By path, those that were looked at, as they were then. */
  seen: ReadonlyMap<string, Seen>;
};

type OwnershipDeps = Pick<ExecutionDeps, "store" | "workFor">;

/** Whoever asks, and how long they wait. */
type OwnershipCaller = { principal?: Pick<Principal, "writesThroughForge">; signal: AbortSignal };

const none: OwnedChanges = { own: [], others: [], mixed: [], leftovers: [], seen: new Map() };

/**
 * In a work tree of its own all is the execution's but what its set-up left. In place a person works too: there, where the
 * assistant writes with Forge's tools, only what these wrote is; where it has tools of its own, nothing tells the two apart.
 */
export async function classifyChanges(
  here: OwnershipDeps,
  execution: Execution,
  changes: readonly TreeChange[],
  asking: OwnershipCaller,
): Promise<OwnedChanges> {
  const candidates = excludePreexisting(execution, changes);
  return isInPlace(execution) ? inPlace(here, execution, candidates, asking) : apart(here, execution, candidates);
}

async function inPlace(
  { store, workFor }: OwnershipDeps,
  { id, root, baseCommit }: Execution,
  changes: TreeChange[],
  { principal, signal }: OwnershipCaller,
): Promise<OwnedChanges> {
  const written = await store.database.read((db) => store.listWrittenFiles(db, id));
  if (written.length === 0)
    return { ...none, ...(principal?.writesThroughForge ? { others: changes } : { own: changes }) };
  const work = workFor(root);
  const hashes = new Map(written.map(({ path, sha256 }) => [path, sha256]));
  const setApart = await work.setApart(new Set(listPaths(changes).filter((path) => hashes.has(path))), signal);
  const whose = { own: [] as TreeChange[], others: [] as TreeChange[], mixed: [] as TreeChange[] };
  const seen = new Map<string, Seen>();
  for (const change of changes) {
    const { path } = change;
    if (!hashes.has(path)) {
      whose.others.push(change);
      continue;
    }
    const now = await work.seen(path, baseCommit);
    seen.set(path, now);
    const isOwn = isPrintOf(now.print, hashes.get(path)) && !setApart.has(path);
    (isOwn ? whose.own : whose.mixed).push(change);
  }
  return { ...none, ...whose, seen };
}

/** What an earlier version of Forge wrote has no hash; nobody can tell any more. */
function isPrintOf(print: string | undefined, sha256: string | undefined): boolean {
  return sha256 === undefined || print === `file:${sha256}` || print === `program:${sha256}`;
}

async function apart(here: OwnershipDeps, execution: Execution, changes: TreeChange[]): Promise<OwnedChanges> {
  const leftovers = await Leftovers.of(here, execution);
  if (leftovers.isEmpty) return { ...none, own: changes };
  const whose = { own: [] as TreeChange[], leftovers: [] as TreeChange[] };
  const work = here.workFor(execution.root);
  for (const change of changes) {
    const print = await work.print(change.path);
    const isLeft = print !== undefined && leftovers.has(change.path, print);
    (isLeft ? whose.leftovers : whose.own).push(change);
  }
  return { ...none, ...whose };
}

export function listPaths(changes: readonly TreeChange[]): string[] {
  return changes.map(({ path }) => path);
}
