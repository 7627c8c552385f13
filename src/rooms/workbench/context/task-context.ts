import { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { visible } from "../../../kernel/visible.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { filesUnder } from "../files/list-files.ts";
import { limits } from "../model/limits.ts";
import type { WorkbenchServices } from "../model/services.ts";
import type { Task } from "../model/task-model.ts";
import { Census } from "../project/census.ts";
import { isForeign, isOwn, repositoryAt, walkFiles } from "../project/project-files.ts";
import { type PlacedManifest, readManifests } from "../project/read-manifests.ts";
import { fitting, type TaskContext } from "./fit-budget.ts";
import { patternsIn } from "./patterns.ts";
import { affectedFiles, scoreByName } from "./relevance.ts";
import { Reader } from "./source-reader.ts";
import { Study } from "./source-study.ts";

export type { TaskContext } from "./fit-budget.ts";

const most = { manifests: 20, read: 180, shown: 30, patterns: 25 } as const;
/** Below this a file is shown where there is room, and not missed where there is none. */
const missed = 20;

type Options = { budgetTokens: number; signal: AbortSignal };

/** What of the project's code bears on a task: files with a line on each, and ways the code is written in. */
export async function taskContext(
  { git, projectRoot }: Pick<WorkbenchServices, "git" | "projectRoot">,
  task: Task,
  { budgetTokens, signal }: Options,
): Promise<TaskContext> {
  const root = SafeRoot.at(projectRoot);
  const files = repositoryAt(git, projectRoot)
    ? await filesUnder(git, { path: projectRoot }, "", { ignored: false, signal })
    : await walkFiles(root, signal);
  const manifests = await manifestsOf(root, files, signal);
  const index = new ProjectIndex(
    files.filter((one) => !isForeign(one)),
    goModules(manifests),
  );
  const study = new Study(index, new Reader(root, { most: most.read, signal }), manifests);
  const scores = scoreByName(task, index);
  await study.followImports(affectedFiles(task, index), scores);
  await study.read(scores.ranked());
  study.rewardImporters(new Set(affectedFiles(task, index)), scores);

  const ranked = scores.ranked().filter((path) => visible(path).length <= limits.path);
  const shown = ranked.flatMap((path) => study.described(path)).slice(0, most.shown);
  const isShown = new Set(shown.map(({ path }) => path));
  const left = ranked.filter((path) => scores.of(path) >= missed && study.mayBeShown(path)).map(visible);
  const patterns = patternsIn(await study.read(ranked));
  const others = [...left.filter((path) => !isShown.has(path)), ...patterns.slice(most.patterns)];
  return fitting(shown, patterns.slice(0, most.patterns), others, budgetTokens);
}

async function manifestsOf(root: SafeRoot, files: readonly string[], signal: AbortSignal): Promise<PlacedManifest[]> {
  const census = new Census();
  for (const path of files) if (isOwn(path)) census.note(path);
  return (await readManifests(root, census, { most: most.manifests, signal })).read;
}

function goModules(manifests: readonly PlacedManifest[]): { name: string; folder: string }[] {
  return manifests.flatMap(({ ecosystem, name, folder }) =>
    ecosystem === "go" && name !== undefined ? [{ name, folder }] : [],
  );
}
