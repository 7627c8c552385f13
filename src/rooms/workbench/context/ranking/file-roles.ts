import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { fileName } from "../../../../commons/code-index/project-index.ts";
import { findManifestReader } from "../../../../commons/manifests/index.ts";

/** Folders of code that shows or measures the project's code, or that tests work on. */
const supportingFolders = new Set(
  [
    "example examples sample samples demo demos bench benches benchmark benchmarks perf fixture fixtures __fixtures__",
    "testdata test-data golden snapshots __snapshots__ templates mocks __mocks__ scripts tools",
  ].flatMap((line) => line.split(" ")),
);

/** Generated files, and files that do not help to write code. */
const ignoredEndings = [".lock", "-lock.json", "-lock.yaml", "go.sum", ".min.js", ".min.css", ".map", ".snap"];
const ignoredNames = /^(?:changelog|changes|history|news|releases?|authors|licen[cs]e|copying|notice)\b/i;
const plainTexts = /\.(?:txt|rst|adoc|in|cfg|ini|env\.example)$/i;

/** Not the code that counts: benchmarks, fixtures, examples. */
export function isSupporting(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  const isBenchmark = /(?:^|[._-])bench(?:mark)?s?[._-]/i.test(fileName(path));
  return isBenchmark || folders.some((folder) => supportingFolders.has(folder.toLowerCase()));
}

/** Whether a file may be relevant for a task that does not name it. */
export function isCandidate(path: string): boolean {
  const name = fileName(path);
  if (ignoredEndings.some((end) => name.endsWith(end)) || ignoredNames.test(name)) return false;
  if (path.split("/").some((folder) => /^\.\w/.test(folder) && folder !== name)) return false;
  return detectLanguage(path) !== undefined || findManifestReader(name) !== undefined || plainTexts.test(name);
}

/** Documents and data say less about where to work than code does. */
export function isCode(path: string): boolean {
  const language = detectLanguage(path);
  return language !== undefined && language.isData !== true;
}
