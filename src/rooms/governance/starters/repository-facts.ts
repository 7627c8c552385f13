import { basename } from "node:path";
import { detectLanguage } from "../../../commons/code-index/languages.ts";
import { isMigration } from "../check/counts/count-migrations.ts";
import type { ProjectTree } from "../check/project-tree.ts";
import { isManifest, readManifest, type StarterManifest } from "./read-manifest.ts";

const maxBytes = 262_144;
const maxManifests = 30;
const maxTables = 60;
const maxText = 300;
const foreign = new Set("node_modules vendor third_party dist build target fixtures testdata examples".split(" "));
/** Packages in these are not what the project is built with. */
const aside = /^(?:bench|benchmarks?|fuzz|perf.*|samples?|docs?|website|e2e)$/;

const spellings: Record<string, string> = { typescript: "TypeScript", javascript: "JavaScript", php: "PHP" };

/** What a repository shows of itself, without running anything. */
export type RepositoryFacts = {
  name: string;
  description: string;
  /** By number of files, most first; data formats left out. */
  languages: { id: string; name: string; files: number }[];
  manifests: StarterManifest[];
  /** Folders at the top with source files in them. */
  folders: { name: string; files: number }[];
  tables: string[];
  migrations: { count: number; folder: string | undefined };
  apiDescription: string | undefined;
  ci: string[];
  hasContainer: boolean;
};

export async function readRepositoryFacts(tree: ProjectTree): Promise<RepositoryFacts> {
  const own = tree.paths.filter((path) => !path.split("/").some((folder) => foreign.has(folder)));
  const manifests = await readManifests(tree, own);
  const migrations = own.filter(isMigration);
  return {
    name: shortName(manifests.find(({ path, name }) => name && !path.includes("/"))?.name ?? basename(tree.root)),
    description: findDescription(tree, manifests),
    languages: countLanguages(own),
    manifests,
    folders: countFolders(own),
    tables: findTables(tree, own),
    migrations: { count: migrations.length, folder: folderOf(migrations.at(-1)) },
    apiDescription: own.find((path) => /(?:^|\/)(?:openapi|swagger)\.(?:ya?ml|json)$/.test(path)),
    ci: own.filter((path) =>
      /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|Jenkinsfile|\.circleci\/config\.yml)$/.test(path),
    ),
    hasContainer: own.some((path) => /(?:^|\/)(?:Dockerfile|docker-compose\.ya?ml|compose\.ya?ml)$/.test(path)),
  };
}

async function readManifests(tree: ProjectTree, own: readonly string[]): Promise<StarterManifest[]> {
  const paths = own
    .filter((path) => {
      const names = path.split("/");
      return isManifest(names.at(-1) ?? "") && names.length <= 3 && !names.some((name) => aside.test(name));
    })
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1))
    .slice(0, maxManifests);
  const known = new Set(own);
  const read: StarterManifest[] = [];
  for (const path of paths) {
    const manifest = await readManifest(path, tree.text(path, maxBytes) ?? "", (name) => known.has(name));
    if (manifest) read.push(manifest);
  }
  return read;
}

/** As people call it: the last part of a Go module's path, and a Maven project without `-parent`. */
function shortName(name: string): string {
  return (name.startsWith("@") ? name : name.replace(/\/v\d+$/, "").replace(/^.*\//, ""))
    .replace(/-parent$/, "")
    .slice(0, maxText);
}

/** The manifest's own, or the first paragraph of the README that is prose. */
function findDescription(tree: ProjectTree, manifests: readonly StarterManifest[]): string {
  const said = manifests.find(({ path, description }) => description !== undefined && !path.includes("/"))?.description;
  if (said !== undefined) return said.slice(0, maxText);
  const readme = tree.paths.find((path) => /^readme\.(?:md|rst|txt)$/i.test(path));
  const text = readme === undefined ? "" : (tree.text(readme, maxBytes) ?? "");
  const paragraphs = text.replaceAll("\r", "").split(/\n{2,}/);
  const prose = paragraphs.find((part) => /^[A-Za-z*_`"][^<>|]{40,}/.test(part.trim()) && !/^[=\-~#]{3,}/m.test(part));
  return (prose ?? "").replace(/\s+/g, " ").trim().slice(0, maxText);
}

function countLanguages(paths: readonly string[]): RepositoryFacts["languages"] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = detectLanguage(path);
    if (language && !language.isData) counts.set(language.name, (counts.get(language.name) ?? 0) + 1);
  }
  return [...counts]
    .map(([id, files]) => ({ id, name: spellings[id] ?? id.replace(/^\w/, (letter) => letter.toUpperCase()), files }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}

function countFolders(paths: readonly string[]): RepositoryFacts["folders"] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = detectLanguage(path);
    const top = path.includes("/") ? path.slice(0, path.indexOf("/")) : undefined;
    if (top !== undefined && !top.startsWith(".") && language && !language.isData)
      counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => b.files - a.files)
    .slice(0, 15);
}

/** Tables in SQL files and models of Prisma. */
function findTables(tree: ProjectTree, paths: readonly string[]): string[] {
  const names = new Set<string>();
  for (const path of paths) {
    if (names.size >= maxTables) break;
    const pattern = path.endsWith(".sql")
      ? /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?["'`[]?([\w.]{1,100})/gi
      : path.endsWith(".prisma")
        ? /^model\s+(\w{1,100})\s*\{/gm
        : undefined;
    if (!pattern) continue;
    for (const [, name = ""] of (tree.text(path, maxBytes) ?? "").matchAll(pattern)) names.add(name);
  }
  return [...names].slice(0, maxTables);
}

function folderOf(path: string | undefined): string | undefined {
  return path?.slice(0, Math.max(0, path.lastIndexOf("/")));
}
