import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { fileName } from "../../../../commons/code-index/project-index.ts";
import type { Imported } from "./find-imported.ts";

const testWords = new Set("test tests spec specs".split(" "));
/** Files of these names are for tests. */
const certain = new Set("test tests testing mock mocks fixture fixtures".split(" "));
/** These are for tests or are part of the program. */
const likely = new Set(
  "spec specs stub stubs helper helpers support assert asserts assertion assertions expect".split(" "),
);

/**
 * Whether a file outside the folders of tests is one of a test's helpers, by its name: `src/test-utils.js`. Not the file that the
 * test is about (`helpers.ts` of `helpers.test.ts`), and by a name that programs use as well only if no other code imports it.
 */
export function isHelper(
  path: string,
  test: string,
  imported: Imported | undefined,
  isSupport: (path: string) => boolean,
): boolean {
  const isSameLanguage = detectLanguage(path)?.ecosystem === detectLanguage(test)?.ecosystem;
  if (imported === undefined ? !isSameLanguage : !imported.has(path)) return false;
  const subject = subjectOf(fileName(test));
  if (subject !== "" && subjectOf(fileName(path)) === subject) return false;
  const words = ownNames(path, test)
    .filter((name) => subjectOf(name) !== subject)
    .flatMap(wordsOf);
  if (words.some((word) => certain.has(word))) return true;
  if (!imported || !words.some((word) => likely.has(word))) return false;
  const isOfTests = (file: string) => file === test || isSupport(file);
  const others = [...imported].filter(
    ([file, by]) => by.has(test) && !isOfTests(file) && !wordsOf(file).some((word) => likely.has(word)),
  );
  return others.length > 0 && [...(imported.get(path) ?? [])].every(isOfTests);
}

/** These are what a test compares with or works on. */
const dataWords = new Set(
  "case cases expected expectation expectations golden baseline baselines snapshot snapshots sample samples recording recordings cassette cassettes fixture fixtures mock mocks".split(
    " ",
  ),
);

/** Whether a file that is no code has by its name what a test compares with, and the test's text names it: `sum.cases.json`. */
export function isDataOf(path: string, text: string): boolean {
  const name = fileName(path);
  if (detectLanguage(path)?.ecosystem !== undefined || !text.includes(name)) return false;
  return wordsOf(name.replace(/\.\w+$/, "")).some((word) => dataWords.has(word));
}

/** The folders and the name of a file, without those folders that the test is in as well. */
function ownNames(path: string, test: string): string[] {
  const [names, folders] = [path.split("/"), test.split("/").slice(0, -1)];
  const at = names.findIndex((name, index) => name !== folders[index]);
  return names.slice(Math.max(at, 0));
}

/** `sum` of `sum.test.js`, `test_sum.py` and `sum.js`. */
function subjectOf(name: string): string {
  const words = wordsOf(name.replace(/\.\w+$/, ""));
  return words.filter((word) => !testWords.has(word)).join("");
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}
