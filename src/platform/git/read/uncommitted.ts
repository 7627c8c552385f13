import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../files/entry.ts";
import { type Print, printOfName } from "../index/prints.ts";
import { exactText, type RawName, textOf } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import { headOf, unfinishedIn } from "./head.ts";
import { gitlink, indexEntries, type TreeEntry } from "./tree-entries.ts";

/** Something in a work tree that the commit it is at does not hold. */
export type Uncommitted = {
  path: string;
  /** `staged`: what the index has, which may be another content than the file's. `repository`: one of its own, in this one. */
  kind: "file" | "staged" | "repository" | "submodule";
  /** What it is now, in one word; undefined where that cannot be told. */
  print(): Promise<Print>;
};

/** Ignored files are not in it. */
export async function uncommittedIn(runner: GitRunner, signal: AbortSignal): Promise<Uncommitted[]> {
  const args = ["--porcelain", "-z", "--no-renames", "--untracked-files=all"];
  const records = await runner.records("status", args, { signal });
  const index = await indexEntries(runner, signal);
  const entries = new Map(index.map((entry) => [entry.name, entry]));
  const isSubmodule = ({ mode, name }: TreeEntry) => mode === gitlink && isFilled(runner, name);
  const submodules = new Set(index.filter(isSubmodule).map(({ name }) => name));
  const found: Uncommitted[] = [];
  for (const record of records) {
    const name = record.slice(3);
    const path = textOf(name);
    if (!/^[ ?]/.test(record))
      found.push({ path, kind: "staged", print: async () => printOfStaged(record, entries.get(name)) });
    if (name.endsWith("/"))
      found.push({ path, kind: "repository", print: () => printOfRepository(runner, name.slice(0, -1), signal) });
    else if (record[1] !== " " && !submodules.has(name))
      found.push({ path, kind: "file", print: () => printOfName(runner, name) });
  }
  for (const name of submodules)
    found.push({ path: textOf(name), kind: "submodule", print: () => printOfRepository(runner, name, signal) });
  return found;
}

function isFilled({ workTree }: GitRunner, name: RawName): boolean {
  const path = join(workTree, exactText(name) ?? "");
  return entryAt(path)?.isDirectory() === true && readdirSync(path).length > 0;
}

/** What two sides of a merge have left there is nothing to be known again by. */
function printOfStaged(record: RawName, entry: TreeEntry | undefined): Print {
  if (/^(?:U|.U|AA|DD)/.test(record)) return undefined;
  return entry ? `staged:${entry.mode}:${entry.id}` : "staged:absent";
}

/** Differs as soon as anything is done in it: a file changed, something staged, committed, fetched or stashed. */
async function printOfRepository(around: GitRunner, name: RawName, signal: AbortSignal): Promise<Print> {
  const path = exactText(name);
  if (path === undefined) return undefined;
  try {
    const inner = around.inside(join(around.workTree, path));
    if (!inner || unfinishedIn(inner) !== undefined) return undefined;
    const hash = createHash("sha256");
    const { branch, commit } = await headOf(inner, signal);
    const refs = await inner.line("for-each-ref", ["--format=%(objectname) %(refname)"], { signal });
    hash.update(JSON.stringify([branch, commit, refs, movesOf(inner)]));
    hash.update(JSON.stringify(await indexEntries(inner, signal)));
    for (const one of await uncommittedIn(inner, signal)) {
      const print = await one.print();
      if (print === undefined) return undefined;
      hash.update(JSON.stringify([one.path, one.kind, print]));
    }
    return `repository:${hash.digest("hex")}`;
  } catch (error) {
    // What leads elsewhere or is damaged cannot be looked into; whoever stopped us is to hear of it.
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    return undefined;
  }
}

/** Commits that no branch has any more are still in HEAD's own log. */
function movesOf({ location }: GitRunner): string {
  const log = join(location.gitDir, "logs", "HEAD");
  return entryAt(log)?.isFile() ? readFileSync(log, "latin1") : "";
}
