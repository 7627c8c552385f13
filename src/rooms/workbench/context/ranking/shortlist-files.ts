import type { Repository } from "../../../../platform/git/git.ts";
import { decodeName } from "../../../../platform/git/names/decode-name.ts";
import { NulRecords } from "../../../../platform/git/read/nul-records.ts";
import { pathPrefix } from "../../files/path-status.ts";
import type { Task } from "../../model/task-model.ts";
import type { SourceReader } from "../source-reader.ts";
import type { ChangeHistory } from "./change-history.ts";
import { findRarity } from "./content-scores.ts";
import { TaskQuery } from "./task-query.ts";
import { listIdentifiers } from "./words.ts";

const maxGreps = 6;
const minWordLength = 4;

/** A word that more files have is none of a secret's. */
const maxRare = 100;

type Options = {
  all: number;
  max: number;
  reader: Pick<SourceReader, "read">;
  repository: Repository | undefined;
  folder: string;
  signal: AbortSignal;
};

/** Of too many files to read, those that git finds the words of the task in, or that have them in their paths. */
export async function shortlistFiles(
  task: Task,
  files: readonly string[],
  history: ChangeHistory,
  { all, max, reader, repository, folder, signal }: Options,
): Promise<readonly string[]> {
  if (files.length <= all) return files;
  const query = new TaskQuery(task);
  const scores = new Map<string, number>(history.scoreByMessages(query));
  const add = (path: string, score: number) => scores.set(path, (scores.get(path) ?? 0) + score);
  for (const path of files) {
    const matched = new Set(listIdentifiers(path).flatMap((identifier) => query.match(identifier)));
    for (const word of matched) add(path, query.words.get(word) ?? 0);
  }
  const words = repository ? listGrepWords(query) : [];
  await Promise.all(
    words.map(async ([word, weight]) => {
      const found = repository ? await keepShown(reader, await grepFiles(repository, folder, word, signal), word) : [];
      for (const path of found) add(path, weight * findRarity(found.length, files.length));
    }),
  );
  return files
    .map((path): [string, number] => [path, scores.get(path) ?? 0])
    .sort(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([path]) => path);
}

/** The words that weigh most; stems are found inside of other forms. */
function listGrepWords(query: TaskQuery): [word: string, weight: number][] {
  return [...query.words]
    .filter(([word]) => !word.startsWith("=") && word.length >= minWordLength)
    .sort(([a, more], [b, less]) => less - more || b.length - a.length)
    .slice(0, maxGreps);
}

/** Without those that have a rare word in a secret only: whether a part of one is found would tell, bit by bit, what is in it. */
async function keepShown(
  reader: Options["reader"],
  paths: readonly string[],
  word: string,
): Promise<readonly string[]> {
  if (paths.length > maxRare) return paths;
  const texts = await Promise.all(paths.map((path) => reader.read(path)));
  return paths.filter((_, index) => texts[index]?.toLowerCase().includes(word) === true);
}

async function grepFiles(repository: Repository, folder: string, word: string, signal: AbortSignal): Promise<string[]> {
  const place = pathPrefix(repository, folder);
  const found: string[] = [];
  const records = new NulRecords((record) => found.push(decodeName(record).slice(place.length)));
  const which = ["--files-with-matches", "-z", "-I", "--ignore-case", "--fixed-strings", "--untracked", "--full-name"];
  const within = place === "" ? [] : [place.slice(0, -1)];
  await repository.run("grep", [...which, "-e", word, "--", ...within], {
    signal,
    onStdout: (chunk) => records.write(chunk),
  });
  return found;
}
