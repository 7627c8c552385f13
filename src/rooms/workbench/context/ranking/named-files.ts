import { fileName, folderName, type ProjectIndex } from "../../../../commons/code-index/project-index.ts";
import type { Task } from "../../model/task-model.ts";

const maxTextLength = 100_000;
const maxFilesOfName = 3;

/** Files that a task names and that exist, of any kind: those it affects first, then those that its text mentions. */
export function findNamedFiles(task: Task, index: ProjectIndex): { affected: string[]; mentioned: string[] } {
  const affected = [...new Set(task.files_affected.map(normalizePath))].filter((path) => index.has(path));
  const texts = [task.name, task.description, task.acceptance_criteria, task.function_signatures];
  const text = [...texts, task.testing_requirements].flat().join("\n").slice(0, maxTextLength);
  const words = new Set(text.split(/[\s"'`()<>,;]+/).map((word) => withoutPunctuation(normalizePath(word))));
  const mentioned = [...words].flatMap((word) => findByWord(word, index));
  return { affected, mentioned: [...new Set(mentioned)].filter((path) => !affected.includes(path)) };
}

/** The folders that a task names, and those of the files that it will create. */
export function listNamedFolders({ files_affected }: Pick<Task, "files_affected">): string[] {
  const paths = files_affected.map(normalizePath).filter((path) => path !== "");
  return [...new Set(paths.map((path) => (path.endsWith("/") ? path.slice(0, -1) : folderName(path))))];
}

export function normalizePath(path: string): string {
  return path
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(?:\.?\/)+/, "");
}

/** By path, by the end of a path, or by a name that few files have: `Dockerfile`, `route.go`, `click/core.py`. */
function findByWord(word: string, index: ProjectIndex): readonly string[] {
  if (word === "" || index.has(word)) return word === "" ? [] : [word];
  const isName = word.includes(".") || word.includes("/") || /^[A-Z][a-z]+file$/.test(word);
  if (!isName) return [];
  const found = index.findByName(fileName(word)).filter((path) => `/${path}`.endsWith(`/${word}`));
  return found.length <= maxFilesOfName ? found : [];
}

/** Without the punctuation of the sentence it ends. */
function withoutPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && ".:!?".includes(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}
