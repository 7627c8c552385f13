import { ForgeError } from "../../../kernel/errors.ts";
import { requireCommitId } from "../names/branch-name.ts";
import { textOf } from "../names/raw-names.ts";
import { type EntryChange, emptyTree, readRaw } from "../read/tree-entries.ts";
import type { GitRunner } from "../run/runner.ts";
import type { ReviewedChange } from "../work-model.ts";

/** `--text`: a NUL, or an attribute that the change itself may bring, would hide what is added. */
const patchFormat = ["-p", "--text", "--unified=0", "--no-renames", "--no-color", "--full-index"];
const rawFormat = ["-z", "--raw", "--no-renames", "--no-abbrev"];

/** Of one file; what is added beyond that is not looked at. */
const maxAddedLength = 8 * 1_048_576;
const maxTotalLength = 128 * 1_048_576;

/** What an index would change in a commit, with the text that it adds. */
export function reviewIndex(
  runner: GitRunner,
  head: string | undefined,
  { environment, digits }: { environment: Record<string, string>; digits: number },
  signal: AbortSignal,
): Promise<ReviewedChange[]> {
  const since = head ?? emptyTree(digits);
  return review(runner, "diff-index", ["--cached", "--end-of-options", since, "--"], { signal, environment });
}

/** More in one execution are not looked through. */
const maxCommits = 1_000;

/**
 * What commits changed, with the text that they added and their messages. Each by itself as well as all together: what one adds
 * and the next removes is in the history all the same.
 */
export async function reviewCommits(
  runner: GitRunner,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<{ changes: ReviewedChange[]; messages: string[] }> {
  const range = ["-r", "--end-of-options", requireCommitId(from), requireCommitId(to), "--"];
  const changes = await review(runner, "diff-tree", range, { signal });
  const format = ["-z", "--no-merges", `--max-count=${maxCommits + 1}`, "--no-color", "--format=%H%n%B"];
  const commits = await runner.records("log", [...format, requireCommitId(to), `^${requireCommitId(from)}`, "--"], {
    signal,
  });
  if (commits.length > maxCommits) throw tooManyCommits();
  const read = commits.map((record) => {
    const text = textOf(record);
    const end = text.indexOf("\n");
    return { id: text.slice(0, end), message: text.slice(end + 1) };
  });
  if (read.length > 1)
    for (const { id } of read) {
      const one = ["-r", "--root", "--no-commit-id", "--end-of-options", requireCommitId(id), "--"];
      changes.push(...(await review(runner, "diff-tree", one, { signal })));
    }
  return { changes, messages: read.map(({ message }) => message) };
}

function tooManyCommits(): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `The branch has more than ${maxCommits} commits of its own, which is too many to look through for secrets and protected files.`,
    { next: ["Ask the user to merge the branch themselves, or squash its commits."] },
  );
}

type ReviewOptions = { signal: AbortSignal; environment?: Record<string, string> };

async function review(
  runner: GitRunner,
  command: "diff-index" | "diff-tree",
  args: string[],
  options: ReviewOptions,
): Promise<ReviewedChange[]> {
  const entries = readRaw(await runner.records(command, [...rawFormat, ...args], options));
  const added = new AddedText();
  await runner.must(command, [...patchFormat, ...args], { ...options, onStdout: (chunk) => added.read(chunk) });
  const texts = added.end();
  return entries.map((entry) => {
    // A file that becomes a link, or the other way round, is two in a patch: one that goes and one that comes.
    const own = texts.splice(0, entry.status === "T" ? 2 : 1);
    return toReviewed(entry, own.join("\n"));
  });
}

function toReviewed({ name, id, status }: EntryChange, added: string): ReviewedChange {
  return { path: textOf(name), ...(status !== "D" && { blob: id }), isNew: status === "A", added };
}

/** The added lines of each file of a patch, in its order. Every line of a file's text begins with a sign. */
class AddedText {
  readonly #texts: string[][] = [];
  #lengths: number[] = [];
  #total = 0;
  #rest = "";
  #isInHunk = false;

  read(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString("latin1")).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#readLine(line);
    // Of one endless line only the beginning matters.
    if (this.#rest.length > maxAddedLength) this.#rest = this.#rest.slice(0, maxAddedLength);
  }

  end(): string[] {
    if (this.#rest !== "") this.#readLine(this.#rest);
    // Without NULs, text in UTF-16 can be read too.
    return this.#texts.map((lines) => Buffer.from(lines.join("\n").replaceAll("\0", ""), "latin1").toString());
  }

  #readLine(line: string): void {
    if (line.startsWith("diff --git ")) {
      this.#texts.push([]);
      this.#lengths.push(0);
      this.#isInHunk = false;
    } else if (line.startsWith("@@ ")) this.#isInHunk = true;
    else if (this.#isInHunk && line.startsWith("+")) this.#add(line.slice(1));
  }

  #add(text: string): void {
    const last = this.#texts.length - 1;
    const length = this.#lengths[last] ?? 0;
    if (length > maxAddedLength || this.#total > maxTotalLength) return;
    this.#texts[last]?.push(text);
    this.#lengths[last] = length + text.length + 1;
    this.#total += text.length + 1;
  }
}
