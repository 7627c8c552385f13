import { requireCommitId } from "../names/branch-name.ts";
import { type RawName, textOf } from "../names/raw-names.ts";
import type { GitRunner } from "../run/runner.ts";

/** A file in the index or a tree. */
export type TreeEntry = { name: RawName; mode: string; id: string };

/** A difference between two trees; `mode` and `id` are the newer one's. */
export type EntryChange = TreeEntry & { status: string };

export const gitlink = "160000";
export const symbolicLink = "120000";

/** The tree without files, by the number of digits of the repository's ids. */
export function emptyTree(digits: number): string {
  return digits === 64
    ? "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    : "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
}

/** What two commits or trees differ in, file by file; all of `to` where there is no `from`. */
export async function changesBetween(
  runner: GitRunner,
  from: string | undefined,
  to: string,
  signal: AbortSignal,
): Promise<EntryChange[]> {
  if (from === undefined) {
    const entries = await treeEntries(runner, to, signal);
    return entries.map((entry) => ({ ...entry, status: "A" }));
  }
  const args = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--end-of-options", from, to, "--"];
  return readRaw(await runner.records("diff-tree", args, { signal }));
}

/** The names of the files that differ between two commits. */
export async function changedNames(
  runner: GitRunner,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<string[]> {
  const changes = await changesBetween(runner, requireCommitId(from), requireCommitId(to), signal);
  return changes.map(({ name }) => textOf(name));
}

/** The ids of these files' contents in a commit; without those that it does not have. */
export async function blobsOf(
  runner: GitRunner,
  commit: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const wanted = new Set(paths);
  const entries = await treeEntries(runner, requireCommitId(commit), signal);
  const named = entries.map(({ name, id }) => [textOf(name), id] as const);
  return new Map(named.filter(([name]) => wanted.has(name)));
}

/** `:oldmode newmode oldid newid status`, then the name. */
export function readRaw(records: readonly RawName[]): EntryChange[] {
  const changes: EntryChange[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [, mode = "", , id = "", status = ""] = (records[at] ?? "").split(" ");
    changes.push({ name: records[at + 1] ?? "", mode, id, status: status.slice(0, 1) });
  }
  return changes;
}

export async function treeEntries(runner: GitRunner, tree: string, signal: AbortSignal): Promise<TreeEntry[]> {
  const args = ["-r", "-z", "--full-tree", tree];
  return readEntries(await runner.records("ls-tree", args, { signal }), 2);
}

/** The names of all files of a commit. */
export async function namesIn(runner: GitRunner, commit: string, signal: AbortSignal): Promise<string[]> {
  return (await treeEntries(runner, requireCommitId(commit), signal)).map(({ name }) => textOf(name));
}

/** The index, unmerged files with one entry for each side. */
export async function indexEntries(
  runner: GitRunner,
  signal: AbortSignal,
  environment: Record<string, string> = {},
): Promise<TreeEntry[]> {
  return readEntries(await runner.records("ls-files", ["--stage", "-z"], { signal, environment }), 1);
}

/** Fields before a tab, then the name; the id is one of the fields. */
function readEntries(records: readonly RawName[], idField: number): TreeEntry[] {
  return records.map((record) => {
    const tab = record.indexOf("\t");
    const fields = record.slice(0, tab).split(" ");
    return { name: record.slice(tab + 1), mode: fields[0] ?? "", id: fields[idField] ?? "" };
  });
}

/** For `update-index -z --index-info`. */
export function indexLine({ name, mode, id }: TreeEntry): RawName {
  return `${mode} ${id}\t${name}`;
}

/** The same for a name that is to be no more; ids have 40 or 64 digits, as the repository's format has it. */
export function removalLine(name: RawName, digits: number): RawName {
  return `0 ${"0".repeat(digits)}\t${name}`;
}

/** Untracked files that git does not ignore; what lies in repositories of their own is not listed. */
export async function untrackedNames(
  runner: GitRunner,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<RawName[]> {
  const args = ["--others", "--exclude-standard", "-z"];
  const names = await runner.records("ls-files", args, { signal, environment });
  return names.filter((name) => !name.endsWith("/"));
}
