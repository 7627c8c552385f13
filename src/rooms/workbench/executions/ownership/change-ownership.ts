import type { Principal } from "../../../../kernel/principal.ts";
import type { SeenFile } from "../../../../platform/git/index/fingerprint.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../execution-deps.ts";
import { Leftovers } from "../setup/leftovers.ts";
import { PreexistingFiles } from "./preexisting-files.ts";

/** The changes in an execution's folder, by owner. */
export type OwnedChanges = {
  /** Files that existed before the execution started. */
  user: TreeChange[];
  /** The execution's. */
  own: TreeChange[];
  /** Made in the project's folder and not through Forge's tools, in an execution that works with them: could be anyone's. */
  others: TreeChange[];
  /** Written through Forge's tools, and also changed, staged or given another mode by someone else. */
  mixed: TreeChange[];
  /** Created by the set-up command, and unchanged since. */
  leftovers: TreeChange[];
  /** By path: the files that were read, as they were then. */
  seen: ReadonlyMap<string, SeenFile>;
};

type Owner = "user" | "own" | "others" | "mixed" | "leftovers";

/** What the owner of a change is decided by. */
type ChangeFacts = {
  existedBefore: boolean;
  isInPlace: boolean;
  isLeftover: boolean;
  /** Forge's tools wrote files in this execution, or the caller has no other file tools. */
  usesForgeTools: boolean;
  isWrittenByForge: boolean;
  isAsWritten: boolean;
  isStagedDifferently: boolean;
};

/**
 * Who owns a change: the first case that applies. In a work tree, everything but what the set-up left belongs to the execution. In
 * the project's folder the user works too: there, only files written through Forge's tools count as the task's. If the assistant
 * uses its own file tools, its edits and the user's cannot be told apart.
 */
const cases: readonly { owner: Owner; applies(facts: ChangeFacts): boolean }[] = [
  { owner: "user", applies: ({ existedBefore }) => existedBefore },
  { owner: "leftovers", applies: ({ isInPlace, isLeftover }) => !isInPlace && isLeftover },
  { owner: "own", applies: ({ isInPlace }) => !isInPlace },
  { owner: "own", applies: ({ usesForgeTools }) => !usesForgeTools },
  { owner: "others", applies: ({ isWrittenByForge }) => !isWrittenByForge },
  { owner: "mixed", applies: ({ isAsWritten, isStagedDifferently }) => !isAsWritten || isStagedDifferently },
  { owner: "own", applies: () => true },
];

function findOwner(facts: ChangeFacts): Owner {
  return cases.find(({ applies }) => applies(facts))?.owner ?? "others";
}

type OwnershipDeps = Pick<ExecutionDeps, "store" | "workFor">;

/** Who asks, and how long they wait. */
type OwnershipCaller = { principal?: Pick<Principal, "writesThroughForge">; signal: AbortSignal };

export async function classifyChanges(
  deps: OwnershipDeps,
  execution: Execution,
  changes: readonly TreeChange[],
  caller: OwnershipCaller,
): Promise<OwnedChanges> {
  const preexisting = new PreexistingFiles(execution);
  const facts = isInPlace(execution)
    ? await readFolderFacts(deps, execution, changes, caller)
    : await readWorktreeFacts(deps, execution);
  const owned: Record<Owner, TreeChange[]> = { user: [], own: [], others: [], mixed: [], leftovers: [] };
  for (const change of changes) {
    const existedBefore = preexisting.hasChange(change);
    // Files are only read where that decides.
    const known = existedBefore ? noFacts : await facts.read(change);
    owned[findOwner({ ...noFacts, ...known, existedBefore, isInPlace: isInPlace(execution) })].push(change);
  }
  return { ...owned, seen: facts.seen };
}

const noFacts: ChangeFacts = {
  existedBefore: false,
  isInPlace: false,
  isLeftover: false,
  usesForgeTools: false,
  isWrittenByForge: false,
  isAsWritten: false,
  isStagedDifferently: false,
};

type FactReader = { seen: Map<string, SeenFile>; read(change: TreeChange): Promise<Partial<ChangeFacts>> };

async function readFolderFacts(
  { store, workFor }: OwnershipDeps,
  { id, root, baseCommit }: Execution,
  changes: readonly TreeChange[],
  { principal, signal }: OwnershipCaller,
): Promise<FactReader> {
  const seen = new Map<string, SeenFile>();
  const written = await store.database.read((db) => store.listWrittenFiles(db, id));
  if (written.length === 0) {
    const usesForgeTools = principal?.writesThroughForge === true;
    return { seen, read: async () => ({ usesForgeTools }) };
  }
  const work = workFor(root);
  const hashes = new Map(written.map(({ path, sha256 }) => [path, sha256]));
  const staged = await work.files.stagedDifferently(
    new Set(listPaths(changes).filter((path) => hashes.has(path))),
    signal,
  );
  return {
    seen,
    async read({ path }) {
      if (!hashes.has(path)) return { usesForgeTools: true };
      const now = await work.files.see(path, baseCommit);
      seen.set(path, now);
      return {
        usesForgeTools: true,
        isWrittenByForge: true,
        isAsWritten: isPrintOf(now.print, hashes.get(path)),
        isStagedDifferently: staged.has(path),
      };
    },
  };
}

/** Files that an earlier version of Forge wrote have no hash, so they count as unchanged. */
function isPrintOf(print: string | undefined, sha256: string | undefined): boolean {
  return sha256 === undefined || print === `file:${sha256}` || print === `program:${sha256}`;
}

async function readWorktreeFacts(deps: OwnershipDeps, execution: Execution): Promise<FactReader> {
  const seen = new Map<string, SeenFile>();
  const leftovers = await Leftovers.of(deps, execution);
  if (leftovers.isEmpty) return { seen, read: async () => ({}) };
  const work = deps.workFor(execution.root);
  return {
    seen,
    async read({ path }) {
      const print = await work.files.fingerprint(path);
      return { isLeftover: print !== undefined && leftovers.has(path, print) };
    },
  };
}

export function listPaths(changes: readonly TreeChange[]): string[] {
  return changes.map(({ path }) => path);
}
