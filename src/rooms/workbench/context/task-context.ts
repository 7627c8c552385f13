import { readJavaScriptNames } from "../../../commons/code-index/javascript-names.ts";
import { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { findManifestReader } from "../../../commons/manifests/index.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { isInstalled } from "../../../platform/files/root/installed-place.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { listFiles } from "../files/list-files.ts";
import { limits } from "../model/limits.ts";
import type { WorkbenchServices } from "../model/services.ts";
import type { Task } from "../model/task-model.ts";
import { FileCensus } from "../project/file-census.ts";
import { isForeign, isOwn, walkFiles } from "../project/project-files.ts";
import { type PlacedManifest, readManifests } from "../project/read-manifests.ts";
import { isEntryPoint } from "./describe-file.ts";
import { findPatterns } from "./find-patterns.ts";
import { fitBudget, type TaskContext } from "./fit-budget.ts";
import { ChangeHistory } from "./ranking/change-history.ts";
import { isCandidate, isSupporting } from "./ranking/file-roles.ts";
import { findNamedFiles } from "./ranking/named-files.ts";
import { type RankedFile, rankFiles } from "./ranking/rank-files.ts";
import { shortlistFiles } from "./ranking/shortlist-files.ts";
import { SourceReader } from "./source-reader.ts";
import { SourceStudy } from "./source-study.ts";

export type { TaskContext } from "./fit-budget.ts";

/** `read`: a project of up to so many files is read completely; of a larger one, `shortlist` files. */
const bounds = {
  manifests: 20,
  read: 1_500,
  shortlist: 500,
  shown: 25,
  orientation: 3,
  patterns: 25,
  patternFiles: 60,
  settings: 200,
} as const;
/** Of the score of the best file that the task does not name: files with less are not shown, or not named as omitted. */
const minShare = { shown: 0.12, omitted: 0.25 } as const;

type Options = { budgetTokens: number; signal: AbortSignal };

/** The project's code that is relevant for a task: files with a line on each, and patterns. */
export async function readTaskContext(
  { git, projectRoot }: Pick<WorkbenchServices, "git" | "projectRoot">,
  task: Task,
  { budgetTokens, signal }: Options,
): Promise<TaskContext> {
  const root = SafeRoot.at(projectRoot);
  const repository = git.find(projectRoot);
  const all = repository
    ? await listFiles(git, { path: projectRoot }, "", { ignored: false, signal })
    : await walkFiles(root, signal);
  // Their names and words are text by others, also where the project is trusted.
  const files = all.filter((path) => !isInstalled(path));
  const manifests = await readOwnManifests(root, files, signal);
  const settings = new SourceReader(root, { max: bounds.settings, signal });
  const javaScript = await readJavaScriptNames(files.filter(isOwn), (path) => settings.read(path));
  const index = new ProjectIndex(files, { goModules: listGoModules(manifests), javaScript });
  const history = repository ? await ChangeHistory.read(repository, projectRoot, signal) : new ChangeHistory([]);
  const { affected, mentioned } = findNamedFiles(task, index);
  const own = files.filter((path) => !isForeign(path) && isCandidate(path));
  const reader = new SourceReader(root, { max: 2 * bounds.read, signal });
  const place = { all: bounds.read, max: bounds.shortlist, reader, repository, folder: projectRoot, signal };
  const candidates = await shortlistFiles(task, own, history, place);
  const study = new SourceStudy(index, reader, manifests);
  await study.read([...affected, ...mentioned, ...candidates]);
  const found = await rankFiles(task, candidates, { index, study, history });
  const ranked = found.filter(({ path }) => visible(path).length <= limits.path);
  return composeContext(ranked, study, budgetTokens);
}

type DescribedFile = { path: string; line: string };

async function composeContext(
  ranked: readonly RankedFile[],
  study: SourceStudy,
  budgetTokens: number,
): Promise<TaskContext> {
  const best = ranked.find(({ isNamed }) => !isNamed)?.score ?? 0;
  const shown: DescribedFile[] = [];
  const others: string[] = [];
  let orientation = 0;
  // Only what is shown is described: that costs as much as ranking it.
  for (const { path, score, isNamed } of ranked) {
    const isExtra = isOrientation(path) && orientation < bounds.orientation;
    const isShown = shown.length < bounds.shown && (isNamed || isExtra || score >= minShare.shown * best);
    const line = isShown ? study.describe(path, isNamed) : undefined;
    if (line !== undefined) {
      if (isExtra) orientation++;
      shown.push({ path: visible(path), line });
    } else if (!isShown && score >= minShare.omitted * best && study.isKnown(path)) others.push(visible(path));
  }
  const counting = ranked.filter(({ path, isNamed }) => isNamed || !isSupporting(path));
  const patterns = findPatterns(await study.read(counting.slice(0, bounds.patternFiles).map(({ path }) => path)));
  const left = [...others, ...patterns.slice(bounds.patterns)];
  return fitBudget(shown, patterns.slice(0, bounds.patterns), left, budgetTokens);
}

/** Where a project begins, and what it is made of: worth a line in any task. */
function isOrientation(path: string): boolean {
  return isEntryPoint(path) || (!path.includes("/") && findManifestReader(path) !== undefined);
}

async function readOwnManifests(
  root: SafeRoot,
  files: readonly string[],
  signal: AbortSignal,
): Promise<PlacedManifest[]> {
  const census = new FileCensus();
  for (const path of files) if (isOwn(path)) census.note(path);
  return (await readManifests(root, census, { max: bounds.manifests, signal })).read;
}

function listGoModules(manifests: readonly PlacedManifest[]): { name: string; folder: string }[] {
  return manifests.flatMap(({ ecosystem, name, folder }) =>
    ecosystem === "go" && name !== undefined ? [{ name, folder }] : [],
  );
}
