import { requireCommitId } from "../names/branch-name.ts";
import { requireLiteralPath } from "../names/given-paths.ts";
import { fromRecords, type RawName, rawOf, rawOfShown, textOf } from "../names/raw-names.ts";
import { gitFailure } from "../run/errors.ts";
import type { GitOptions, GitRunner } from "../run/runner.ts";
import { type Scratch, withScratch } from "../run/scratch.ts";
import type { Patch, TreeChange, TreeChanges } from "../work-model.ts";
import { NulRecords } from "./nul-records.ts";
import { indexLine, removalLine, treeEntries, untrackedNames } from "./tree-entries.ts";

/** What no configuration may change about a diff that is read by others. */
const plain = ["--no-renames", "--no-color", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/", "--unified=3"];

/** Without these git writes no more of a binary file than that it differs, which `git apply` refuses. */
const complete = ["--patch", "--binary", "--full-index"];

/** `aside`: what differs from HEAD and is to count as HEAD has it. */
type Comparison = { since: string; aside?: readonly TreeChange[] };

export type DiffOptions = Comparison & { paths?: readonly string[]; maxBytes: number };

/** What the work tree differs in from a commit, untracked files included; `limit` of them. */
export function changesSince(
  runner: GitRunner,
  { limit, ...compared }: Comparison & { limit: number },
  signal: AbortSignal,
): Promise<TreeChanges> {
  const { since } = compared;
  return withScratch(runner, "copied", async (scratch) => {
    await prepare(runner, scratch, compared, signal);
    const reader = new ChangesReader(limit);
    await runner.must(
      "diff",
      [...plain, "--raw", "--numstat", "-z", "--end-of-options", requireCommitId(since), "--"],
      {
        signal,
        environment: scratch.index,
        onStdout: (chunk) => reader.write(chunk),
      },
    );
    return reader.toChanges();
  });
}

/** The same as a patch, cut at the end of a line where it is too long. */
export function diffSince(
  runner: GitRunner,
  { paths = [], maxBytes, ...compared }: DiffOptions,
  signal: AbortSignal,
): Promise<Patch> {
  const { since } = compared;
  return withScratch(runner, "copied", async (scratch) => {
    await prepare(runner, scratch, compared, signal);
    const wanted = paths.map(requireLiteralPath);
    return readPatch(runner, [requireCommitId(since), "--", ...wanted], maxBytes, {
      signal,
      environment: scratch.index,
    });
  });
}

/** From one commit to another; the work tree has no part in it. */
export function diffBetween(
  runner: GitRunner,
  { from, to, maxBytes }: { from: string; to: string; maxBytes: number },
  signal: AbortSignal,
): Promise<Patch> {
  return readPatch(runner, [requireCommitId(from), requireCommitId(to), "--"], maxBytes, { signal });
}

async function readPatch(
  runner: GitRunner,
  of: readonly string[],
  maxBytes: number,
  options: GitOptions,
): Promise<Patch> {
  const first = new FirstBytes(maxBytes);
  try {
    const args = [...plain, ...complete, "--end-of-options", ...of];
    const result = await runner.run("diff", args, { ...options, onStdout: (chunk: Buffer) => first.add(chunk) });
    if (result.code !== 0) throw gitFailure("diff", runner.workTree, result);
  } catch (error) {
    if (error !== enough) throw error;
  }
  return first.toPatch();
}

/**
 * Puts untracked files into the scratch index with the id of nothing: git takes them for changed since, and reads them as
 * they are. What is to be left aside it has there as HEAD has it.
 */
async function prepare(
  runner: GitRunner,
  { index: environment }: Scratch,
  { since, aside = [] }: Comparison,
  signal: AbortSignal,
) {
  const { apart, committed, lines } = await readCommitted(runner, aside, since.length, signal);
  const names = await untrackedNames(runner, environment, signal);
  const id = "1".repeat(since.length);
  for (const name of names) if (!apart.has(textOf(name))) lines.push(indexLine({ name, mode: "100644", id }));
  if (lines.length > 0)
    await runner.must("update-index", ["-z", "--index-info"], { signal, environment, input: fromRecords(lines) });
  if (committed.length === 0) return;
  // So that the index is asked and not the work tree.
  const args = ["--assume-unchanged", "-z", "--stdin"];
  await runner.must("update-index", args, { signal, environment, input: fromRecords(committed) });
}

/** Which names are `apart`, which of them HEAD has, and the lines that put all of them into an index as it has them. */
async function readCommitted(runner: GitRunner, aside: readonly TreeChange[], digits: number, signal: AbortSignal) {
  const apart = new Set(aside.map(({ path }) => path));
  const isInHead = aside.some(({ action }) => action !== "created");
  const entries = isInHead ? await treeEntries(runner, "HEAD", signal) : [];
  const found = entries.filter(({ name }) => apart.has(textOf(name)));
  const created = aside.filter(({ action }) => action === "created").map(({ path }) => path);
  const gone = new Set(created.flatMap((path) => [rawOf(path), rawOfShown(path)]));
  const lines = [...[...gone].map((name) => removalLine(name, digits)), ...found.map(indexLine)];
  return { apart, committed: found.map(({ name }) => name), lines };
}

const actions: Record<string, TreeChange["action"]> = { A: "created", D: "deleted" };

/** Reads `git diff --raw --numstat -z`: first every file with what happened to it, then the lines of each. */
class ChangesReader {
  readonly #limit: number;
  readonly #changes = new Map<RawName, TreeChange>();
  readonly #seen = new Set<RawName>();
  #status: string | undefined;
  readonly #records = new NulRecords((record) => this.#read(record.toString("latin1")));

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(chunk: Buffer): void {
    this.#records.write(chunk);
  }

  toChanges(): TreeChanges {
    return { changes: [...this.#changes.values()], total: this.#seen.size };
  }

  #read(record: RawName): void {
    if (this.#status !== undefined) this.#add(record, this.#status);
    else if (record.startsWith(":")) this.#status = record.split(" ")[4]?.slice(0, 1) ?? "M";
    else this.#count(record);
  }

  #add(name: RawName, status: string): void {
    this.#status = undefined;
    // An unmerged file is told of twice.
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    if (this.#changes.size >= this.#limit) return;
    this.#changes.set(name, { path: textOf(name), action: actions[status] ?? "modified", additions: 0, deletions: 0 });
  }

  #count(record: RawName): void {
    const [additions = "", deletions = "", ...rest] = record.split("\t");
    const change = this.#changes.get(rest.join("\t"));
    if (!change) return;
    change.additions += countLines(additions);
    change.deletions += countLines(deletions);
  }
}

/** A binary file has a dash: no lines. */
function countLines(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Thrown to stop git where the rest is not wanted. */
const enough = new Error("enough");

class FirstBytes {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, this.#maxBytes + 1 - this.#length));
    this.#length += chunk.length;
    if (this.#length > this.#maxBytes) throw enough;
  }

  toPatch(): Patch {
    const bytes = Buffer.concat(this.#chunks);
    if (this.#length <= this.#maxBytes) return { bytes, truncated: false };
    const end = bytes.subarray(0, this.#maxBytes).lastIndexOf("\n") + 1;
    return { bytes: bytes.subarray(0, end), truncated: true };
  }
}
