import { detectLanguage } from "../../../commons/code-index/languages.ts";
import {
  bareName,
  fileName,
  folderName,
  isTestFile,
  type ProjectIndex,
} from "../../../commons/code-index/project-index.ts";
import type { Task } from "../model/task-model.ts";
import { findManifestReader } from "../project/manifests/index.ts";
import { isEntryPoint } from "./describe-file.ts";
import { compareWords, extractWords } from "./words.ts";

/** How much each reason counts. Files without any reason are not considered. */
export const weights = {
  affected: 1_000,
  mentioned: 90,
  tests: 70,
  imported: 60,
  importing: 50,
  words: 60,
  folder: 25,
  entry: 15,
  manifest: 14,
  readme: 10,
} as const;

/** Generated files, and files that do not help to write code. */
const ignoredEndings = [
  ".lock",
  "-lock.json",
  "-lock.yaml",
  "go.sum",
  ".min.js",
  ".min.css",
  ".map",
  ".snap",
  "CHANGELOG.md",
];

export class FileScores {
  readonly #scores = new Map<string, number>();

  add(path: string, score: number): void {
    if (!isWorthReading(path)) return;
    this.#scores.set(path, (this.#scores.get(path) ?? 0) + score);
  }

  get(path: string): number {
    return this.#scores.get(path) ?? 0;
  }

  /** The best first. */
  rank(): string[] {
    return [...this.#scores].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1)).map(([path]) => path);
  }
}

function isWorthReading(path: string): boolean {
  return (
    (detectLanguage(path) !== undefined || findManifestReader(fileName(path)) !== undefined) &&
    !ignoredEndings.some((end) => path.endsWith(end))
  );
}

/** Files that a task names and that exist. */
export function listAffectedFiles(task: Pick<Task, "files_affected">, index: ProjectIndex): string[] {
  return [...new Set(task.files_affected.map(normalizePath))].filter((path) => index.has(path));
}

function normalizePath(path: string): string {
  return path
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(?:\.?\/)+/, "");
}

/** Scores files by their names. */
export function scoreByName(task: Task, index: ProjectIndex): FileScores {
  const scores = new FileScores();
  const affected = listAffectedFiles(task, index);
  for (const path of affected) scores.add(path, weights.affected);
  for (const path of findMentionedFiles(task, index)) scores.add(path, weights.mentioned);
  for (const [path, score] of scoreNeighbours(task.files_affected.map(normalizePath), index)) scores.add(path, score);
  for (const [path, score] of scoreByWords(task, index)) scores.add(path, score);
  for (const path of index.files) {
    const isAtTop = !path.includes("/");
    if (isEntryPoint(path)) scores.add(path, weights.entry / path.split("/").length);
    if (isAtTop && findManifestReader(path)) scores.add(path, weights.manifest);
    if (isAtTop && /^readme/i.test(path)) scores.add(path, weights.readme);
  }
  return scores;
}

function joinTexts(task: Task): string {
  return [
    task.description,
    ...task.acceptance_criteria,
    ...task.function_signatures,
    ...task.testing_requirements,
  ].join("\n");
}

function findMentionedFiles(task: Task, index: ProjectIndex): string[] {
  const mentioned = `${task.name}\n${joinTexts(task)}`.slice(0, 100_000).split(/[\s"'`()<>,;]+/);
  const paths = mentioned.map((word) => normalizePath(word).replace(/[.:]$/, "")).filter((word) => word.includes("."));
  return [...new Set(paths)].filter((path) => index.has(path));
}

/** Files in the folders of the named files, and their tests in any folder. */
function scoreNeighbours(named: readonly string[], index: ProjectIndex): Map<string, number> {
  const found = new Map<string, number>();
  const folders = new Set(named.map((path) => (path.endsWith("/") ? path.slice(0, -1) : folderName(path))));
  for (const folder of folders) {
    const files = index.listFolder(folder);
    for (const path of files) found.set(path, weights.folder / (1 + Math.log10(Math.max(1, files.length))));
  }
  const names = new Set(named.filter((path) => path !== "" && !path.endsWith("/")).map(bareName));
  for (const path of index.files)
    if (names.has(bareName(path)) && isTestFile(path)) found.set(path, (found.get(path) ?? 0) + weights.tests);
  return found;
}

/** Words that are in few file names count more. */
function scoreByWords(task: Task, index: ProjectIndex): Map<string, number> {
  const inName = new Set(extractWords(task.name));
  const words = [...new Set([...inName, ...extractWords(joinTexts(task))])];
  const maxFiles = Math.max(10, index.files.length / 5);
  const found = new Map<string, number>();
  for (const [word, files] of groupByWord(index)) {
    if (files.length > maxFiles) continue;
    const alike = words.map((other) => compareWords(word, other) * (inName.has(other) ? 1 : 1 / 3));
    const score = (weights.words * Math.max(0, ...alike)) / (1 + Math.log2(files.length));
    if (score > 0) for (const path of files) found.set(path, Math.min(weights.words, (found.get(path) ?? 0) + score));
  }
  return found;
}

function groupByWord(index: ProjectIndex): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const path of index.files) {
    for (const word of extractWords(path.replace(/\.\w+$/, ""))) {
      const having = files.get(word);
      if (having) having.push(path);
      else files.set(word, [path]);
    }
  }
  return files;
}
