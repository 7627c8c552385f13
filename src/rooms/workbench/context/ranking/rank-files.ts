import { bareName, folderName, isTestFile, type ProjectIndex } from "../../../../commons/code-index/project-index.ts";
import { findManifestReader } from "../../../../commons/manifests/index.ts";
import type { Task } from "../../model/task-model.ts";
import { isEntryPoint } from "../describe-file.ts";
import type { SourceStudy } from "../source-study.ts";
import type { ChangeHistory } from "./change-history.ts";
import { ContentScores } from "./content-scores.ts";
import { isCode, isSupporting } from "./file-roles.ts";
import { findNamedFiles, listNamedFolders, normalizePath } from "./named-files.ts";
import { TaskQuery } from "./task-query.ts";

/** What a file gets for each reason; the best content is 1. Chosen on the tasks in bench/context. */
const weights = {
  affected: 20,
  mentioned: 10,
  messages: 0.6,
  /** Of the score of a file near the top, for its tests, what changed with it, what it imports and what imports it. */
  tests: 0.45,
  changedWith: 0.3,
  imported: 0.1,
  importing: 0.1,
  folder: 0.1,
  /** For a project of which nothing else is known: never more than a match. */
  entry: 0.02,
  manifest: 0.015,
  readme: 0.01,
} as const;
/** Documents and examples by the same words are less often what is changed. */
const shares = { document: 0.8, supporting: 0.5 } as const;
const maxSeeds = 3;
/** A file that the task names passes on as much as a good match does. */
const namedSeed = 2;

export type RankedFile = { path: string; score: number; isNamed: boolean };

type Project = { index: ProjectIndex; study: SourceStudy; history: ChangeHistory };

/** The files that are relevant for a task, the best first: those it names, then by content, names, history and imports. */
export async function rankFiles(task: Task, candidates: readonly string[], project: Project): Promise<RankedFile[]> {
  const { index, study, history } = project;
  const query = new TaskQuery(task);
  const scores = await scoreContents(query, candidates, study);
  const add = (path: string, score: number) => {
    const known = scores.get(path);
    if (known !== undefined) scores.set(path, known + score);
  };
  for (const [path, score] of history.scoreByMessages(query)) add(path, weights.messages * score);
  const { affected, mentioned } = findNamedFiles(task, index);
  const named = new Set([...affected, ...mentioned]);
  for (const [path, strength] of listSeeds(scores, named))
    for (const [other, share] of findNeighbours(path, candidates, project)) add(other, strength * share);
  scoreByPlace(task, candidates, add);
  for (const path of affected) scores.set(path, (scores.get(path) ?? 0) + weights.affected);
  for (const path of mentioned) scores.set(path, (scores.get(path) ?? 0) + weights.mentioned);
  return [...scores]
    .filter(([, score]) => score > 0)
    .map(([path, score]) => ({ path, score, isNamed: named.has(path) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

async function scoreContents(
  query: TaskQuery,
  candidates: readonly string[],
  study: SourceStudy,
): Promise<Map<string, number>> {
  const contents = new ContentScores(query);
  for (const path of candidates) {
    await study.giveWay();
    contents.add(path, study.getText(path) ?? "");
  }
  return contents.compute((path) => (isSupporting(path) ? shares.supporting : isCode(path) ? 1 : shares.document));
}

/** The files whose neighbours are considered: those that the task names, or the best so far. */
function listSeeds(scores: ReadonlyMap<string, number>, named: ReadonlySet<string>): [path: string, score: number][] {
  const best = [...scores]
    .filter(([path, score]) => score > 0 && !named.has(path))
    .sort(([, a], [, b]) => b - a)
    .slice(0, Math.max(0, maxSeeds - named.size));
  return [...[...named].map((path): [string, number] => [path, namedSeed]), ...best];
}

function findNeighbours(path: string, candidates: readonly string[], { study, history }: Project): [string, number][] {
  const imported = study.listImported(path);
  const importers = study.listImporters(path);
  const share = (files: readonly string[], weight: number) =>
    files.map((other): [string, number] => [other, weight / Math.sqrt(files.length)]);
  const tests = candidates.filter((other) => isTestPair(other, path));
  return [
    ...share(imported, weights.imported),
    ...share(importers, weights.importing),
    ...tests.map((other): [string, number] => [other, weights.tests]),
    ...[...history.listChangedWith(path)].map(([other, times]): [string, number] => [
      other,
      weights.changedWith * times,
    ]),
  ];
}

/** `index.ts` has its tests beside it; others of the same name are about something else. */
function isTestPair(a: string, b: string): boolean {
  if (a === b || isTestFile(a) === isTestFile(b) || bareName(a) !== bareName(b)) return false;
  return bareName(a) !== "index" || folderName(a) === folderName(b);
}

function scoreByPlace(task: Task, candidates: readonly string[], add: (path: string, score: number) => void): void {
  const folders = new Set(listNamedFolders(task));
  const missing = new Set(task.files_affected.map((path) => bareName(normalizePath(path))));
  for (const path of candidates) {
    const isAtTop = !path.includes("/");
    if (folders.has(folderName(path))) add(path, weights.folder);
    if (isTestFile(path) && missing.has(bareName(path))) add(path, weights.tests);
    if (isEntryPoint(path)) add(path, weights.entry / path.split("/").length);
    if (isAtTop && findManifestReader(path)) add(path, weights.manifest);
    if (isAtTop && /^readme/i.test(path)) add(path, weights.readme);
  }
}
