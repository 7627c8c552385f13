import { ForgeError } from "../../../kernel/errors.ts";
import type { FoundSecret } from "../../../kernel/text/redactor.ts";
import { requireCommitId } from "../names/branch-name.ts";
import { textOf } from "../names/raw-names.ts";
import { emptyTree, gitlink, readRaw, symbolicLink } from "../read/tree-entries.ts";
import type { GitRunner } from "../run/runner.ts";
import type { ReviewedChange } from "../work-model.ts";
import { AddedText } from "./added-text.ts";

/** `--text`: a NUL, or an attribute that the change itself may bring, would hide what is added. */
const patchFormat = ["-p", "--text", "--unified=0", "--no-renames", "--no-color", "--full-index"];
const rawFormat = ["-z", "--raw", "--no-renames", "--no-abbrev"];

/** Finds secrets in a text. */
export type FindSecrets = (text: string) => FoundSecret[];

/** What an index would change in a commit, with the secrets that it adds. */
export function reviewIndex(
  runner: GitRunner,
  head: string | undefined,
  { environment, digits, find }: { environment: Record<string, string>; digits: number; find: FindSecrets },
  signal: AbortSignal,
): Promise<ReviewedChange[]> {
  const since = head ?? emptyTree(digits);
  const args = ["--cached", "--end-of-options", since, "--"];
  return review(runner, "diff-index", args, { signal, environment, find });
}

/** More in one execution are not looked through. */
const maxCommits = 1_000;

/**
 * What commits changed, with the secrets that they added and their messages. Each by itself as well as all together: what one
 * adds and the next removes is in the history all the same.
 */
export async function reviewCommits(
  runner: GitRunner,
  { from, to, find }: { from: string; to: string; find: FindSecrets },
  signal: AbortSignal,
): Promise<{ changes: ReviewedChange[]; messages: string[] }> {
  const options = { signal, find };
  const range = ["-r", "--end-of-options", requireCommitId(from), requireCommitId(to), "--"];
  const changes = await review(runner, "diff-tree", range, options);
  const format = ["-z", `--max-count=${maxCommits + 1}`, "--no-color", "--format=%H %P%n%B"];
  const commits = await runner.records("log", [...format, requireCommitId(to), `^${requireCommitId(from)}`, "--"], {
    signal,
  });
  if (commits.length > maxCommits) throw tooManyCommits();
  const read = commits.map((record) => {
    const text = textOf(record);
    const end = text.indexOf("\n");
    const [id = "", ...parents] = text.slice(0, end).trim().split(" ");
    return { id: requireCommitId(id), parents, message: text.slice(end + 1) };
  });
  for (const { id, parents } of read) {
    if (parents.length > 1) changes.push(...(await reviewMerge(runner, id, parents, options)));
    else if (read.length > 1) {
      const one = ["-r", "--root", "--no-commit-id", "--end-of-options", id, "--"];
      changes.push(...(await review(runner, "diff-tree", one, options)));
    }
  }
  return { changes, messages: read.map(({ message }) => message) };
}

function isLink(mode: string): boolean {
  return mode === symbolicLink || mode === gitlink;
}

/** Only what a merge itself brings, and none of its parents has. */
async function reviewMerge(
  runner: GitRunner,
  id: string,
  parents: readonly string[],
  options: ReviewOptions,
): Promise<ReviewedChange[]> {
  const args = ["-r", "-c", "--no-commit-id", "--name-only", "-z", "--end-of-options", id];
  const own = new Set((await runner.records("diff-tree", args, options)).map(textOf));
  if (own.size === 0) return [];
  const [first = [], ...others] = await Promise.all(
    parents.map((parent) =>
      review(runner, "diff-tree", ["-r", "--end-of-options", requireCommitId(parent), id, "--"], options),
    ),
  );
  return first.flatMap((change) => {
    if (!own.has(change.path)) return [];
    const beside = others.map((list) => list.find(({ path }) => path === change.path)?.secrets ?? []);
    const isNowhere = ({ secret }: FoundSecret) => beside.every((list) => list.some((one) => one.secret === secret));
    return [{ ...change, secrets: change.secrets.filter(isNowhere) }];
  });
}

function tooManyCommits(): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `The branch has more than ${maxCommits} commits of its own, which is too many to look through for secrets and protected files.`,
    { next: ["Ask the user to merge the branch themselves, or squash its commits."] },
  );
}

type ReviewOptions = { signal: AbortSignal; environment?: Record<string, string>; find: FindSecrets };

async function review(
  runner: GitRunner,
  command: "diff-index" | "diff-tree",
  args: string[],
  { find, ...options }: ReviewOptions,
): Promise<ReviewedChange[]> {
  const entries = readRaw(await runner.records(command, [...rawFormat, ...args], options));
  const added = new AddedText(find);
  await runner.must(command, [...patchFormat, ...args], { ...options, onStdout: (chunk) => added.read(chunk) });
  const found = added.end();
  return entries.map(({ name, id, status, mode }) => {
    // A file that becomes a link, or the other way round, is two in a patch: one that goes and one that comes.
    const secrets = found.splice(0, status === "T" ? 2 : 1).flat();
    return {
      path: textOf(name),
      ...(status !== "D" && { blob: id }),
      isNew: status === "A",
      isLink: isLink(mode),
      secrets,
    };
  });
}
