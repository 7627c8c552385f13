import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../files/entry-at.ts";
import { type Fingerprint, fingerprintOfName } from "../index/fingerprint.ts";
import { exactText, type RawName, textOf } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";
import { headOf, unfinishedOperation } from "./head.ts";
import { gitlink, indexEntries, type TreeEntry } from "./tree-entries.ts";

/** Something in a work tree that the commit it is at does not hold. */
export type UncommittedItem = {
  path: string;
  /** `staged`: what the index has, which may be another content than the file's. `repository`: one of its own, in this one. */
  kind: "file" | "staged" | "repository" | "submodule";
  /** What it is now, in one word; undefined where that cannot be told. */
  print(): Promise<Fingerprint>;
};

/** Ignored files are not in it. */
export async function listUncommitted(runner: GitRunner, signal: AbortSignal): Promise<UncommittedItem[]> {
  const args = ["--porcelain", "-z", "--no-renames", "--untracked-files=all"];
  const records = await runner.records("status", args, { signal });
  const index = await indexEntries(runner, signal);
  const entries = new Map(index.map((entry) => [entry.name, entry]));
  const isSubmodule = ({ mode, name }: TreeEntry) => mode === gitlink && isFilled(runner, name);
  const submodules = new Set(index.filter(isSubmodule).map(({ name }) => name));
  const found: UncommittedItem[] = [];
  for (const record of records) {
    const name = record.slice(3);
    const path = textOf(name);
    if (!/^[ ?]/.test(record))
      found.push({ path, kind: "staged", print: async () => fingerprintOfStaged(record, entries.get(name)) });
    if (name.endsWith("/"))
      found.push({ path, kind: "repository", print: () => fingerprintOfRepository(runner, name.slice(0, -1), signal) });
    else if (record[1] !== " " && !submodules.has(name))
      found.push({ path, kind: "file", print: () => fingerprintOfName(runner, name) });
  }
  for (const name of submodules)
    found.push({ path: textOf(name), kind: "submodule", print: () => fingerprintOfRepository(runner, name, signal) });
  return found;
}

function isFilled({ workTree }: GitRunner, name: RawName): boolean {
  const path = join(workTree, exactText(name) ?? "");
  return entryAt(path)?.isDirectory() === true && readdirSync(path).length > 0;
}

/** What two sides of a merge have left there is nothing to be known again by. */
function fingerprintOfStaged(record: RawName, entry: TreeEntry | undefined): Fingerprint {
  if (/^(?:U|.U|AA|DD)/.test(record)) return undefined;
  return entry ? `staged:${entry.mode}:${entry.id}` : "staged:absent";
}

/** Differs as soon as anything is done in it: a file changed, something staged, committed, fetched or stashed. */
async function fingerprintOfRepository(around: GitRunner, name: RawName, signal: AbortSignal): Promise<Fingerprint> {
  const path = exactText(name);
  if (path === undefined) return undefined;
  try {
    const inner = around.inside(join(around.workTree, path));
    if (!inner || unfinishedOperation(inner) !== undefined) return undefined;
    const hash = createHash("sha256");
    const { branch, commit } = await headOf(inner, signal);
    const refs = await inner.line("for-each-ref", ["--format=%(objectname) %(refname)"], { signal });
    hash.update(JSON.stringify([branch, commit, refs, readHeadLog(inner)]));
    hash.update(JSON.stringify(await indexEntries(inner, signal)));
    for (const one of await listUncommitted(inner, signal)) {
      const print = await one.print();
      if (print === undefined) return undefined;
      hash.update(JSON.stringify([one.path, one.kind, print]));
    }
    return `repository:${hash.digest("hex")}`;
  } catch (error) {
    // What leads elsewhere or is damaged cannot be read; a cancellation must be passed on.
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    return undefined;
  }
}

/** Commits that no branch has any more are still in HEAD's own log. */
function readHeadLog({ location }: GitRunner): string {
  const log = join(location.gitDir, "logs", "HEAD");
  return entryAt(log)?.isFile() ? readFileSync(log, "latin1") : "";
}
