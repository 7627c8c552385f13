import { type Ecosystem, ecosystems, type Language } from "../../../commons/code-index/languages.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { globMatcher } from "../files/pattern/glob.ts";
import type { FileCensus } from "./census.ts";
import type { PackageKind } from "./manifest.ts";
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

/** How many packages belong to another one of the project, as its workspace, modules or the like. */
export function countMembers(components: readonly Component[]): number {
  const owners = components.filter(({ members }) => members.length > 0);
  return components.filter((one) => owners.some((owner) => isMember(one, owner))).length;
}

function isMember(component: Component, owner: Component): boolean {
  const start = owner.folder === "" ? "" : `${owner.folder}/`;
  if (component === owner || component.ecosystem !== owner.ecosystem || !component.folder.startsWith(start))
    return false;
  const way = component.folder.slice(start.length);
  const fits = (pattern: string) => matchesMember(pattern, way);
  const members = owner.members.slice(0, maxMembers).filter(({ length }) => length <= maxMemberLength);
  const excluded = members.filter((member) => member.startsWith("!")).map((member) => member.slice(1));
  return members.some((member) => !member.startsWith("!") && fits(member)) && !excluded.some(fits);
}

/** A pattern that is none fits nothing. */
function matchesMember(pattern: string, way: string): boolean {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (!/[*?[{]/.test(plain)) return plain === way;
  try {
    return globMatcher(`./${plain}`)(way);
  } catch (error) {
    if (error instanceof ForgeError) return false;
    throw error;
  }
}

/** The component that stands for the project: of the language most of it is in, the one at the root, or the largest. */
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
