import { isAbsolute, join, posix, relative } from "node:path";
import { entryAt } from "../../platform/files/entry-at.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import type { Runnable } from "../trust/runnable.ts";
import type { TestProject } from "./project/test-project.ts";

/** Options whose value is loaded or read before the tests, also where it is named like a test. */
const loaders = new Set(
  "--import --require -r --loader --experimental-loader --config -c --file --env-file --env-file-if-exists --opts --globalSetup --setupFilesAfterEnv --setupFiles".split(
    " ",
  ),
);
/** What Node adds to a path that it is given. */
const endings = ["", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json", "/index.js"];

/** A runner's configuration in these folders. Links count too: somebody could put one in place of a file. */
export function listRunnerFiles(project: TestProject, names: RegExp, folders: Iterable<string> = [""]): Runnable[] {
  return [...new Set(folders)]
    .flatMap((folder) =>
      project
        .listNames(folder)
        .filter((name) => names.test(name))
        .sort()
        .map((name) => posix.join(folder, name)),
    )
    .filter((path) => entryAt(join(project.root, path))?.isDirectory() === false)
    .map(toConfiguration);
}

/** Those of the paths that there are. */
export function listPresentFiles(project: TestProject, paths: readonly string[]): Runnable[] {
  return paths.filter((path) => project.has(path)).map(toConfiguration);
}

function toConfiguration(file: string): Runnable {
  return { id: `config:${file}`, file };
}

type NamedFiles = {
  /** Tests are not what defines a command. */
  isTest(path: string): boolean;
  /** What counts as configuration is listed by that name. */
  configuration: readonly Runnable[];
};

/** The project's files that the words of a test script name. Packages are not among them. */
export function listNamedFiles(
  project: TestProject,
  words: readonly string[],
  { isTest, configuration }: NamedFiles,
): Runnable[] {
  const listed = new Set(configuration.map(({ file }) => file));
  const named = words.flatMap((word, at) => {
    const [, value] = /^-(?:[^=]*=|[A-Za-z](?=[./]))(.*)$/s.exec(word) ?? [];
    const isLoaded = value !== undefined || loaders.has(words[at - 1] ?? "");
    const paths = (value ?? (word.startsWith("-") ? "" : word)).split(",");
    return paths.flatMap((path) => {
      const file = findFile(project, path);
      return file === undefined || (!isLoaded && isTest(file)) ? [] : [file];
    });
  });
  return [...new Set(named)].filter((file) => !listed.has(file)).map((file) => ({ id: `script:${file}`, file }));
}

/** The folders that the words name: runners look for their configuration there too. */
export function listNamedFolders(project: TestProject, words: readonly string[]): string[] {
  return words
    .map((word) => toOwnPath(project, word.replace(/^-[^=]*=/, "")))
    .filter((path) => path !== undefined)
    .filter((path) => entryAt(join(project.root, path))?.isDirectory() === true);
}

function findFile(project: TestProject, word: string): string | undefined {
  const path = toOwnPath(project, word);
  if (path === undefined) return undefined;
  const place = (end: string) => join(project.root, `${path}${end}`);
  const isFile = (end: string) => {
    const entry = entryAt(place(end));
    return entry?.isSymbolicLink()
      ? entryAt(realPlace(place(end)))?.isDirectory() !== true
      : entry?.isDirectory() === false;
  };
  const end = endings.find(isFile);
  return end === undefined ? undefined : `${path}${end}`;
}

/** As a path from the project's root; undefined for what is elsewhere, or in a package. */
function toOwnPath(project: TestProject, word: string): string | undefined {
  if (word === "" || word.includes("\0")) return undefined;
  const path = posix.normalize(isAbsolute(word) ? relative(project.root, word) : word).replace(/\/$/, "");
  const isOwn = path !== "." && !isAbsolute(path) && !path.startsWith("..");
  return isOwn && !path.split("/").includes("node_modules") ? path : undefined;
}
