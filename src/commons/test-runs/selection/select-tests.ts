import { fileArguments } from "../../../platform/exec/file-arguments.ts";
import type { TestProject } from "../project/test-project.ts";
import type { Runner, TestChoice } from "../runner.ts";
import type { TestFailure, TestRequest, TestType } from "../test-run.ts";
import type { EarlierFailures } from "./earlier-failures.ts";
import { findRelatedTests } from "./related-tests.ts";
import { detectTestType } from "./test-types.ts";

/** What to run for a request; `nothing`: why there is nothing to run. */
export type TestSelection = { choice: TestChoice; notes: string[] } | { nothing: string };

type SelectionRequest = Pick<TestRequest, "scope" | "files" | "types">;

export async function selectTests(
  project: TestProject,
  runner: Runner,
  asked: SelectionRequest,
  before: EarlierFailures | undefined,
): Promise<TestSelection> {
  if (runner.onlyAll && asked.scope === "all" && asked.types.length === 0) return selectAll();
  if (runner.onlyAll) return selectAll("The configured command can only run all tests, so all were run.");
  if (asked.scope === "failed") return filterByType(runner, asked.types, selectFailed(project, runner, before));
  if (asked.scope === "related_to_files")
    return filterByType(runner, asked.types, await selectRelated(project, runner, asked));
  if (asked.types.length === 0) return selectAll();
  const tests = (await project.listFiles()).filter(testPredicate(project, runner));
  const chosen = tests.filter((path) => isOfType(runner, path, asked.types));
  if (chosen.length === tests.length && chosen.length > 0) return selectAll();
  return selectFiles(chosen, same(`of type ${asked.types.join(", ")}`));
}

async function selectRelated(
  project: TestProject,
  runner: Runner,
  { files, types }: SelectionRequest,
): Promise<TestSelection> {
  if (files.length === 0) return { nothing: "No files were given, so no tests are related to them." };
  const [, ...named] = fileArguments(project.root, files);
  const paths = named.map((path) => path.slice(2).split("\\").join("/"));
  if (runner.relatesItself && types.length === 0)
    return {
      choice: { kind: "related", files: paths },
      notes: [`${runner.name} selected the tests that depend on the files.`],
    };
  const own = paths.filter(testPredicate(project, runner));
  const sources = paths.filter((path) => !own.includes(path) || runner.related !== undefined);
  const found = await (runner.related?.(project, sources) ?? findRelatedTests(project, sources, runner.isTest));
  return selectFiles([...new Set([...own, ...found])], {
    one: "that imports those files or is named after them",
    many: "that import those files or are named after them",
  });
}

function testPredicate(project: TestProject, runner: Runner): (path: string) => boolean {
  return (path) => !project.isInstalled(path) && (runner.isTest(path) || runner.saysTest?.(project, path) === true);
}

function selectFailed(project: TestProject, runner: Runner, before: EarlierFailures | undefined): TestSelection {
  if (!before) return { nothing: "These tests have not been run yet, so none has failed." };
  const { failures, omitted } = before;
  if (failures.length === 0 && !omitted) return { nothing: "None of the tests failed last time." };
  const places = failures.map(({ file, type }) =>
    isTestFailure(type) && file !== undefined && project.isFile(file) ? file : undefined,
  );
  const files = [...new Set(places.filter((file) => file !== undefined))];
  if (omitted || places.includes(undefined))
    return selectAll("The file of some failures is unknown, so all tests were run.");
  if (runner.picksByName) {
    const names = failures.map(({ name }) => name);
    return { choice: { kind: "tests", files, names }, notes: [`Ran the ${names.length} tests that failed.`] };
  }
  return selectFiles(files, same("with tests that failed and have not passed since"));
}

/** A compiler's error keeps more tests from running than any that could be named. */
function isTestFailure(type: TestFailure["type"]): boolean {
  return type === undefined || type === "test_failure" || type === "timeout" || type === "panic";
}

function filterByType(runner: Runner, types: readonly TestType[], selection: TestSelection): TestSelection {
  if (types.length === 0 || "nothing" in selection || selection.choice.kind !== "tests") return selection;
  const { files, names } = selection.choice;
  const chosen = files.filter((path) => isOfType(runner, path, types));
  if (chosen.length === files.length) return selection;
  return chosen.length === 0
    ? { nothing: `None of these tests is of type ${types.join(", ")}.` }
    : {
        choice: { kind: "tests", files: chosen, names },
        notes: [...selection.notes, `Only tests of type ${types.join(", ")}.`],
      };
}

function isOfType(runner: Runner, path: string, types: readonly TestType[]): boolean {
  return types.includes(runner.typeOf?.(path) ?? detectTestType(path));
}

/** What is selected, for one file and for several. */
type Description = { one: string; many: string };

const same = (text: string): Description => ({ one: text, many: text });

function selectFiles(files: readonly string[], { one, many }: Description): TestSelection {
  if (files.length === 0) return { nothing: `There are no tests ${many}.` };
  const shown = files.slice(0, 10).join(", ") + (files.length > 10 ? " and more" : "");
  const counted = files.length === 1 ? "Ran 1 test file" : `Ran ${files.length} test files`;
  return {
    choice: { kind: "tests", files, names: [] },
    notes: [`${counted} ${files.length === 1 ? one : many}: ${shown}.`],
  };
}

function selectAll(note?: string): TestSelection {
  return { choice: { kind: "all" }, notes: note === undefined ? [] : [note] };
}
