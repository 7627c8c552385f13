import { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { listFiles } from "../files/list-files.ts";
import { limits } from "../model/limits.ts";
import type { WorkbenchServices } from "../model/services.ts";
import type { Task } from "../model/task-model.ts";
import { FileCensus } from "../project/file-census.ts";
import { findRepository, isForeign, isOwn, walkFiles } from "../project/project-files.ts";
import { type PlacedManifest, readManifests } from "../project/read-manifests.ts";
import { findPatterns } from "./find-patterns.ts";
import { fitBudget, type TaskContext } from "./fit-budget.ts";
import { listAffectedFiles, scoreByName } from "./relevance.ts";
import { SourceReader } from "./source-reader.ts";
import { SourceStudy } from "./source-study.ts";

export type { TaskContext } from "./fit-budget.ts";

const bounds = { manifests: 20, read: 180, shown: 30, patterns: 25 } as const;
/** Files with a lower score are shown if they fit, but not named as omitted. */
const minMissedScore = 20;

type Options = { budgetTokens: number; signal: AbortSignal };

/** The project's code that is relevant for a task: files with a line on each, and patterns. */
export async function readTaskContext(
  { git, projectRoot }: Pick<WorkbenchServices, "git" | "projectRoot">,
  task: Task,
  { budgetTokens, signal }: Options,
): Promise<TaskContext> {
  const root = SafeRoot.at(projectRoot);
  const files = findRepository(git, projectRoot)
    ? await listFiles(git, { path: projectRoot }, "", { ignored: false, signal })
    : await walkFiles(root, signal);
  const manifests = await readOwnManifests(root, files, signal);
  const index = new ProjectIndex(
    files.filter((one) => !isForeign(one)),
    listGoModules(manifests),
  );
  const study = new SourceStudy(index, new SourceReader(root, { max: bounds.read, signal }), manifests);
  const scores = scoreByName(task, index);
  await study.followImports(listAffectedFiles(task, index), scores);
  await study.read(scores.rank());
  study.rewardImporters(new Set(listAffectedFiles(task, index)), scores);

  const ranked = scores.rank().filter((path) => visible(path).length <= limits.path);
  const shown = ranked.flatMap((path) => study.describe(path)).slice(0, bounds.shown);
  const isShown = new Set(shown.map(({ path }) => path));
  const left = ranked.filter((path) => scores.get(path) >= minMissedScore && study.mayBeShown(path)).map(visible);
  const patterns = findPatterns(await study.read(ranked));
  const others = [...left.filter((path) => !isShown.has(path)), ...patterns.slice(bounds.patterns)];
  return fitBudget(shown, patterns.slice(0, bounds.patterns), others, budgetTokens);
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
