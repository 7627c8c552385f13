import type { Repository } from "../../../../platform/git/git.ts";
import { decodeName } from "../../../../platform/git/names/decode-name.ts";
import { NulRecords } from "../../../../platform/git/read/nul-records.ts";
import { pathPrefix } from "../../files/path-status.ts";
import { findRarity } from "./content-scores.ts";
import type { TaskQuery } from "./task-query.ts";
import { listIdentifiers } from "./words.ts";

const maxCommits = 1_000;
/** A commit of more files says little about each of them. */
const maxFilesOfCommit = 20;
/** Of the words of the task, by their weight: fewer in a message are chance. */
const minMessageShare = 0.1;
const minTimesTogether = 2;
/** Added to the number of commits, so that a share of few commits counts less. */
const doubtfulCommits = 3;
const [subjectMark, newline] = [1, 10];

type Commit = { subject: string; files: string[] };

/** One more than the maximum tells that there are too many: a commit can have millions. */
function addFile(commit: Commit | undefined, name: string): void {
  if (commit && commit.files.length <= maxFilesOfCommit) commit.files.push(name);
}

/** The project's latest commits: what was changed for similar tasks, and what changes together. */
export class ChangeHistory {
  readonly #commits: readonly Commit[];

  constructor(commits: readonly Commit[]) {
    this.#commits = commits.filter(({ files }) => files.length > 0 && files.length <= maxFilesOfCommit);
  }

  /** Empty if there are no commits yet, or git cannot tell. */
  static async read(repository: Repository, folder: string, signal: AbortSignal): Promise<ChangeHistory> {
    const place = pathPrefix(repository, folder);
    const commits: Commit[] = [];
    const records = new NulRecords((record) => {
      const name = decodeName(record[0] === newline ? record.subarray(1) : record);
      if (record[0] === subjectMark) commits.push({ subject: record.subarray(1).toString(), files: [] });
      else if (name !== "") addFile(commits.at(-1), name.slice(place.length));
    });
    const which = ["-z", "--no-merges", "--no-renames", "--name-only", `--max-count=${maxCommits}`, "--format=%x01%s"];
    const { code } = await repository.run("log", [...which, "--", ...(place === "" ? [] : [place.slice(0, -1)])], {
      signal,
      onStdout: (chunk) => records.write(chunk),
    });
    return new ChangeHistory(code === 0 ? commits : []);
  }

  /** Files that were changed in commits whose messages resemble the task. The best is 1. */
  scoreByMessages(query: TaskQuery): Map<string, number> {
    const said = this.#commits.map(({ subject }) => query.count(listIdentifiers(subject)).counts);
    const worth = new Map<string, number>();
    for (const [word, weight] of query.words) {
      const having = said.filter((words) => words.has(word)).length;
      if (having > 0 && !word.startsWith("=")) worth.set(word, weight * findRarity(having, said.length));
    }
    const all = [...worth.values()].reduce((sum, one) => sum + one, 0);
    const scores = new Map<string, number>();
    this.#commits.forEach(({ files }, index) => {
      const words = [...(said[index]?.keys() ?? [])];
      const share = words.reduce((sum, word) => sum + (worth.get(word) ?? 0), 0) / Math.max(all, Number.MIN_VALUE);
      if (share < minMessageShare) return;
      for (const path of files) scores.set(path, (scores.get(path) ?? 0) + share ** 2 / Math.sqrt(files.length));
    });
    const best = Math.max(Number.MIN_VALUE, ...scores.values());
    return new Map([...scores].map(([path, score]) => [path, Math.sqrt(score / best)]));
  }

  /** Files that changed together with a file, with the share of its commits. */
  listChangedWith(path: string): Map<string, number> {
    const own = this.#commits.filter(({ files }) => files.includes(path));
    const times = new Map<string, number>();
    for (const other of own.flatMap(({ files }) => files)) times.set(other, (times.get(other) ?? 0) + 1);
    times.delete(path);
    const often = [...times].filter(([, count]) => count >= minTimesTogether);
    return new Map(often.map(([other, count]) => [other, count / (own.length + doubtfulCommits)]));
  }
}
