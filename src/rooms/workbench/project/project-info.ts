import { basename } from "node:path";
import { formatName } from "../../../commons/manifests/manifest.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Git, Repository } from "../../../platform/git/git.ts";
import type { Board } from "../board/service/board.ts";
import { describeArchitecture } from "./architecture.ts";
import { type Component, countMembers, findComponents, findMainComponent } from "./components.ts";
import { FileCensus } from "./file-census.ts";
import { type GitState, readGitState } from "./git-state.ts";
import { forEachTrackedFile, walkFiles } from "./project-files.ts";
import { readManifests } from "./read-manifests.ts";

const limits = { manifests: 150, dependencies: 60, components: 30, rootEntries: 2_000 } as const;

export type ProjectServices = { git: Git; projectRoot: string; board: Pick<Board, "totals"> };

type ComponentInfo = { path: string; type: string; test_framework?: string; build_command?: string };

type Statistics = { total_files: number; total_blocks: number; total_tasks: number; completed_tasks: number } & {
  [languageFiles: string]: number;
};

export type ProjectInfo = {
  project: {
    name: string;
    type: string;
    root_directory: string;
    architecture: string;
    dependencies: string[];
    dependencies_omitted?: number;
    dev_dependencies?: string[];
    dev_dependencies_omitted?: number;
    test_framework?: string;
    build_command?: string;
    components?: ComponentInfo[];
    components_omitted?: number;
  } & Partial<GitState>;
  statistics?: Statistics;
  warnings?: string[];
};

/** Describes a project by its own files; nothing of it is executed. */
export async function readProjectInfo(
  { git, projectRoot, board }: ProjectServices,
  { git: withGit, stats, signal }: { git: boolean; stats: boolean; signal: AbortSignal },
): Promise<ProjectInfo> {
  const repository = git.find(projectRoot);
  const root = SafeRoot.at(projectRoot);
  const [census, state, totals] = await Promise.all([
    takeCensus(repository, root, projectRoot, signal),
    withGit ? readGitState(repository, signal) : undefined,
    stats ? board.totals() : undefined,
  ]);
  const manifests = await readManifests(root, census, { max: limits.manifests, signal });
  const components = findComponents(manifests.read, census);
  const warnings = [
    ...manifests.warnings,
    ...(manifests.omitted > 0 ? [`${manifests.omitted} more manifests were not read.`] : []),
    ...(repository ? [] : ["The project is not in a git repository, so its files were counted without git."]),
  ];
  return {
    project: { ...(await describeProject(components, census, projectRoot)), ...state },
    ...(totals && {
      statistics: {
        total_files: census.total,
        ...countLanguages(census),
        total_blocks: totals.blocks,
        total_tasks: totals.tasks,
        completed_tasks: totals.byStatus.completed,
      },
    }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Counts the files that git tracks, and notes untracked ones in the project's own folder. */
async function takeCensus(
  repository: Repository | undefined,
  root: SafeRoot,
  folder: string,
  signal: AbortSignal,
): Promise<FileCensus> {
  const census = new FileCensus();
  if (repository) await forEachTrackedFile(repository, folder, signal, (path) => census.add(path));
  else for (const path of await walkFiles(root, signal)) census.add(path);
  const { entries } = await root.list("", { maxEntries: limits.rootEntries });
  for (const { name, kind } of entries) if (kind === "file") census.note(name);
  return census;
}

async function describeProject(
  components: readonly Component[],
  census: FileCensus,
  root: string,
): Promise<ProjectInfo["project"]> {
  const main = findMainComponent(components);
  const atRoot = components.find(({ folder, name }) => folder === "" && name !== undefined);
  const named = (main?.folder === "" ? main.name : undefined) ?? atRoot?.name;
  const { dependencies, development } = listDependencies(components, main);
  const countOmitted = (names: readonly string[]) => Math.max(0, names.length - limits.dependencies);
  const formatNames = (names: readonly string[]) => names.slice(0, limits.dependencies).map(formatName);
  return {
    name: formatName(named ?? basename(root)),
    type: main?.type ?? findMainLanguage(census),
    root_directory: visible(root),
    architecture: describeArchitecture(components, main, await countMembers(components)),
    dependencies: formatNames(dependencies),
    ...(countOmitted(dependencies) > 0 && { dependencies_omitted: countOmitted(dependencies) }),
    ...(development.length > 0 && { dev_dependencies: formatNames(development) }),
    ...(countOmitted(development) > 0 && { dev_dependencies_omitted: countOmitted(development) }),
    ...(main?.test !== undefined && { test_framework: main.test }),
    ...(main?.build !== undefined && { build_command: prefixCommand(main.build, main.folder) }),
    ...(components.length > 1 && { components: components.slice(0, limits.components).map(toComponentInfo) }),
    ...(components.length > limits.components && { components_omitted: components.length - limits.components }),
  };
}

/** Only if the folder's name means nothing else to a shell. */
function prefixCommand(command: string, folder: string): string {
  return folder !== "" && /^\w[\w./-]*$/.test(folder) ? `cd ${folder} && ${command}` : command;
}

function toComponentInfo({ folder, type, test, build }: Component): ComponentInfo {
  return {
    path: folder === "" ? "." : visible(folder),
    type,
    ...(test !== undefined && { test_framework: test }),
    ...(build !== undefined && { build_command: build }),
  };
}

/** Without the project's own packages; the main component's first. What is used to develop it only is apart. */
function listDependencies(components: readonly Component[], main: Component | undefined) {
  const own = new Set(components.map(({ name }) => name));
  const ordered = main ? [main, ...components.filter((one) => one !== main)] : [];
  const list = (pick: (component: Component) => string[]) => [...new Set(ordered.flatMap(pick))];
  const dependencies = list((one) => one.dependencies).filter((name) => !own.has(name));
  const development = list((one) => one.devDependencies).filter((name) => !own.has(name));
  return { dependencies, development: development.filter((name) => !dependencies.includes(name)) };
}

function findMainLanguage(census: FileCensus): string {
  const written = [...census.byLanguage].filter(([{ isData }]) => !isData).sort(([, a], [, b]) => b - a);
  return written[0]?.[0].name ?? "unknown";
}

function countLanguages(census: FileCensus): Record<string, number> {
  const counts = [...census.byLanguage].sort(([a, many], [b, others]) => others - many || (a.key < b.key ? -1 : 1));
  return Object.fromEntries(counts.map(([{ key }, count]) => [`${key}_files`, count]));
}
