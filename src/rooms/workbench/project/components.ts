import { type Ecosystem, ecosystems, type Language } from "../../../commons/code-index/languages.ts";
import type { PackageKind } from "../../../commons/manifests/manifest.ts";
import { compileGlob, type PathMatcher } from "../../../commons/patterns/glob.ts";
import type { FileCensus } from "./file-census.ts";
import type { PlacedManifest } from "./read-manifests.ts";
import { findTestFramework } from "./test-frameworks.ts";

/** One package of a project: what its manifests say together, and what is in its folder. */
export type Component = {
  /** Empty for the project's own. */
  folder: string;
  ecosystem: Ecosystem;
  /** The language most of it is written in. */
  type: string;
  name: string | undefined;
  dependencies: string[];
  devDependencies: string[];
  supported: string[];
  marks: string[];
  members: string[];
  test: string | undefined;
  build: string | undefined;
  kind: PackageKind | undefined;
  /** Of its own languages, without those of packages inside. */
  files: number;
};

const maxMembers = 200;
const maxMemberLength = 200;

export function findComponents(manifests: readonly PlacedManifest[], census: FileCensus): Component[] {
  const groups = new Map<string, PlacedManifest[]>();
  for (const manifest of manifests) {
    const key = `${manifest.ecosystem}:${manifest.folder}`;
    groups.set(key, [...(groups.get(key) ?? []), manifest]);
  }
  const counts = countsByEcosystem(manifests, census);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [toComponent([first, ...others], counts, census)] : [],
  );
}

type Counts = Map<Ecosystem, Map<string, Map<Language, number>>>;

function countsByEcosystem(manifests: readonly PlacedManifest[], census: FileCensus): Counts {
  return new Map(
    ecosystems.map((ecosystem) => {
      const folders = manifests.filter((one) => one.ecosystem === ecosystem).map(({ folder }) => folder);
      return [ecosystem, census.countLanguages(new Set(folders))];
    }),
  );
}

function toComponent(
  manifests: readonly [PlacedManifest, ...PlacedManifest[]],
  counts: Counts,
  census: FileCensus,
): Component {
  const [{ folder, ecosystem }] = manifests;
  const first = <T>(pick: (manifest: PlacedManifest) => T | undefined): T | undefined =>
    manifests.map(pick).find((value) => value !== undefined);
  const all = (pick: (manifest: PlacedManifest) => readonly string[] | undefined): string[] => [
    ...new Set(manifests.flatMap((manifest) => pick(manifest) ?? [])),
  ];
  const languages = [...(counts.get(ecosystem)?.get(folder) ?? [])].filter(([one]) => one.ecosystem === ecosystem);
  const [most] = languages.sort(([, a], [, b]) => b - a);
  const component = {
    folder,
    ecosystem,
    type: most?.[0].name ?? ecosystem,
    name: first(({ name }) => name),
    dependencies: all(({ dependencies }) => dependencies),
    devDependencies: all(({ devDependencies }) => devDependencies),
    supported: all(({ supported }) => supported),
    marks: all(({ marks }) => marks),
    members: all(({ members }) => members),
    build: first(({ build }) => build),
    kind: first(({ kind }) => kind),
    files: languages.reduce((sum, [, count]) => sum + count, 0),
  };
  return {
    ...component,
    test: findTestFramework(
      component,
      first(({ test }) => test),
      census,
    ),
  };
}

/** How many packages belong to another package of the project, as its workspace, modules or the like. */
export async function countMembers(components: readonly Component[]): Promise<number> {
  const owners: Owner[] = [];
  for (const component of components)
    if (component.members.length > 0) owners.push({ component, isMember: await compileMembers(component.members) });
  return components.filter((one) => owners.some((owner) => isMemberOf(one, owner))).length;
}

type Owner = { component: Component; isMember: PathMatcher };

function isMemberOf(component: Component, { component: owner, isMember }: Owner): boolean {
  const start = owner.folder === "" ? "" : `${owner.folder}/`;
  const isBelow = component !== owner && component.ecosystem === owner.ecosystem && component.folder.startsWith(start);
  return isBelow && isMember(component.folder.slice(start.length));
}

/** Patterns with a `!` exclude folders. */
async function compileMembers(patterns: readonly string[]): Promise<PathMatcher> {
  const included: PathMatcher[] = [];
  const excluded: PathMatcher[] = [];
  for (const pattern of patterns.slice(0, maxMembers).filter(({ length }) => length <= maxMemberLength)) {
    const isExclusion = pattern.startsWith("!");
    const matches = await compileMember(isExclusion ? pattern.slice(1) : pattern);
    (isExclusion ? excluded : included).push(matches);
  }
  return (path) => included.some((matches) => matches(path)) && !excluded.some((matches) => matches(path));
}

/** A pattern that is not valid matches nothing. */
async function compileMember(pattern: string): Promise<PathMatcher> {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (!/[*?[{]/.test(plain)) return (path) => path === plain;
  const compiled = await compileGlob(plain);
  return typeof compiled === "string" ? () => false : compiled;
}

/** The main component of the project: of its main language, the one at the root, or the largest. */
export function findMainComponent(components: readonly Component[]): Component | undefined {
  const sizes = ecosystems.map((ecosystem) => {
    const own = components.filter((one) => one.ecosystem === ecosystem);
    const atRoot = own.some(({ folder }) => folder === "");
    return { own, atRoot, files: own.reduce((sum, { files }) => sum + files, 0) };
  });
  const [largest] = sizes
    .filter(({ own }) => own.length > 0)
    .sort((a, b) => b.files - a.files || Number(b.atRoot) - Number(a.atRoot));
  return largest?.own.find(({ folder }) => folder === "") ?? largest?.own.toSorted((a, b) => b.files - a.files)[0];
}
