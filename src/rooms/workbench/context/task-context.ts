import { visible } from "../../../kernel/visible.ts";
import { SafeRoot } from "../../../platform/files/safe-root.ts";
import { limits } from "../bounds.ts";
import { filesUnder } from "../files/listing.ts";
import type { Task } from "../model.ts";
import type { WorkbenchServices } from "../ports.ts";
import { Census } from "../project/census.ts";
import { isOwn, repositoryAt, walkFiles } from "../project/project-files.ts";
import { type PlacedManifest, readManifests } from "../project/read-manifests.ts";
import { describe, describeLarge } from "./describing.ts";
import { fitting, type TaskContext } from "./fitting.ts";
import { importsOf } from "./imports.ts";
import { patternsIn, type ReadSource } from "./patterns.ts";
import { ProjectIndex } from "./project-index.ts";
import { Reader } from "./reading.ts";
import { affectedFiles, type Scores, scoreByName, weight } from "./relevance.ts";
import { packageOf, resolved } from "./resolving.ts";

export type { TaskContext } from "./fitting.ts";

const most = { manifests: 20, read: 180, shown: 30 } as const;
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
  const index = new ProjectIndex(files.filter(isOwn), goModules(manifests));
  const study = new Study(index, new Reader(root, { most: most.read, signal }), manifests);
  const scores = scoreByName(task, index);
  await study.followImports(affectedFiles(task, index), scores);
  const sources = await study.read(scores.ranked());
  study.rewardImporters(new Set(affectedFiles(task, index)), scores, sources);

  const ranked = scores.ranked().filter((path) => path.length <= limits.path);
  const shown = ranked.flatMap((path) => study.described(path)).slice(0, most.shown);
  const isShown = new Set(shown.map(({ path }) => path));
  const left = ranked.filter((path) => scores.of(path) >= missed && study.mayBeShown(path)).map(visible);
  const byRank = new Map(ranked.map((path, place) => [path, place]));
  const place = ({ path }: ReadSource) => byRank.get(path) ?? ranked.length;
  const patterns = patternsIn(sources.toSorted((a, b) => place(a) - place(b)));
  return fitting(
    shown,
    patterns,
    left.filter((path) => !isShown.has(path)),
    budgetTokens,
  );
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

/** Reads sources and remembers what is in them. */
class Study {
  readonly #index: ProjectIndex;
  readonly #reader: Reader;
  readonly #sources = new Map<string, ReadSource>();
  /** Dependencies as imports spell them, with their names. */
  readonly #dependencies: ReadonlyMap<string, string>;

  constructor(index: ProjectIndex, reader: Reader, manifests: readonly PlacedManifest[]) {
    this.#index = index;
    this.#reader = reader;
    const names = manifests.flatMap(({ dependencies, devDependencies }) => [...dependencies, ...devDependencies]);
    this.#dependencies = new Map(names.map((name) => [asImported(name), name]));
  }

  async followImports(files: readonly string[], scores: Scores): Promise<void> {
    for (const source of await this.read(files))
      for (const path of this.#meant(source)) scores.add(path, weight.imported);
  }

  /** Those of the files that can be read, as far as the reader goes. */
  async read(files: readonly string[]): Promise<ReadSource[]> {
    const sources: ReadSource[] = [];
    for (const path of files) {
      const source = this.#sources.get(path) ?? (await this.#study(path));
      if (source) sources.push(source);
    }
    return sources;
  }

  rewardImporters(imported: ReadonlySet<string>, scores: Scores, sources: readonly ReadSource[]): void {
    for (const source of sources)
      if (this.#meant(source).some((path) => imported.has(path))) scores.add(source.path, weight.importing);
  }

  /** With a line on what it is, where that is known. */
  described(path: string): { path: string; line: string }[] {
    const source = this.#sources.get(path);
    const size = this.#reader.sizeOf(path);
    if (source) return [{ path: visible(path), line: describe(path, source.text, source.packages) }];
    return size === undefined ? [] : [{ path: visible(path), line: describeLarge(path, size) }];
  }

  /** Not what was found to be unreadable. */
  mayBeShown(path: string): boolean {
    return !this.#reader.hasTried(path) || this.described(path).length > 0;
  }

  async #study(path: string): Promise<ReadSource | undefined> {
    const text = await this.#reader.text(path);
    if (text === undefined) return undefined;
    const imports = importsOf(path, text);
    const packages = imports.flatMap((specifier) => this.#dependencyOf(path, specifier));
    const source = {
      path,
      text,
      imports: imports.map((one) => packageOf(path, one) ?? one),
      packages: [...new Set(packages)],
    };
    this.#sources.set(path, source);
    return source;
  }

  #dependencyOf(path: string, specifier: string): string[] {
    const imported = packageOf(path, specifier);
    const name = imported === undefined ? undefined : this.#dependencies.get(asImported(imported));
    return name === undefined ? [] : [name];
  }

  #meant({ path, text }: ReadSource): string[] {
    return importsOf(path, text).flatMap((specifier) => resolved(path, specifier, this.#index));
  }
}

/** `Actix-Web` and `actix_web` are the same. */
function asImported(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}
