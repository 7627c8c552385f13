import { fileArguments } from "../../../platform/exec/arguments.ts";
import type { TestProject } from "../project/test-project.ts";
import type { Choice, Runner } from "../runner.ts";
import type { TestRequest, TestType } from "../test-run.ts";
import type { FailedBefore } from "./failed-before.ts";
import { testsThatReach } from "./related-tests.ts";
import { typeOfTest } from "./test-types.ts";

/** What to run for a request; `nothing` where the answer is that there is nothing, and why. */
export type Selection = { choice: Choice; notes: string[] } | { nothing: string };

type Asked = Pick<TestRequest, "scope" | "files" | "types">;

export async function select(
  project: TestProject,
  runner: Runner,
  asked: Asked,
  before: FailedBefore | undefined,
): Promise<Selection> {
  if (runner.onlyAll && asked.scope === "all" && asked.types.length === 0) return everything();
  if (runner.onlyAll) return everything("The configured command can only run everything, so everything was run.");
  if (asked.scope === "failed") return ofType(runner, asked.types, failedAgain(project, runner, before));
  if (asked.scope === "related_to_files") return ofType(runner, asked.types, await related(project, runner, asked));
  if (asked.types.length === 0) return everything();
  const tests = (await project.files()).filter(testsOf(project, runner));
  const chosen = tests.filter((path) => isOfType(runner, path, asked.types));
  if (chosen.length === tests.length && chosen.length > 0) return everything();
  return testFiles(chosen, `of type ${asked.types.join(", ")}`);
}

async function related(project: TestProject, runner: Runner, { files, types }: Asked): Promise<Selection> {
  if (files.length === 0) return { nothing: "No files were named, so no tests are related to them." };
  const [, ...named] = fileArguments(project.root, files);
  const paths = named.map((path) => path.slice(2).split("\\").join("/"));
  if (runner.relatesItself && types.length === 0)
    return {
      choice: { kind: "related", files: paths },
      notes: [`${runner.name} chose the tests that depend on the files.`],
    };
  const own = paths.filter(testsOf(project, runner));
  const sources = paths.filter((path) => !own.includes(path) || runner.related !== undefined);
  const found = await (runner.related?.(project, sources) ?? testsThatReach(project, sources, runner.isTest));
  return testFiles([...new Set([...own, ...found])], "that import the files or are named after them");
}

function testsOf(project: TestProject, runner: Runner): (path: string) => boolean {
  return (path) => runner.isTest(path) || runner.saysTest?.(project, path) === true;
}

function failedAgain(project: TestProject, runner: Runner, before: FailedBefore | undefined): Selection {
  if (!before) return { nothing: "There was no run of these tests yet, so none of them has failed." };
  const { failures, omitted } = before;
  if (failures.length === 0 && !omitted) return { nothing: "None of the tests that were run last is failing." };
  const places = failures.map(({ file }) => (file !== undefined && project.isFile(file) ? file : undefined));
  const files = [...new Set(places.filter((file) => file !== undefined))];
  if (omitted || places.includes(undefined))
    return everything("Not every failure is known by its file, so everything was run.");
  if (runner.picksByName) {
    const names = failures.map(({ name }) => name);
    return { choice: { kind: "tests", files, names }, notes: [`The ${names.length} that failed were run.`] };
  }
  return testFiles(files, "with tests that failed and have not passed since");
}

function ofType(runner: Runner, types: readonly TestType[], selection: Selection): Selection {
  if (types.length === 0 || "nothing" in selection || selection.choice.kind !== "tests") return selection;
  const { files, names } = selection.choice;
  const chosen = files.filter((path) => isOfType(runner, path, types));
  if (chosen.length === files.length) return selection;
  return chosen.length === 0
    ? { nothing: `None of those tests is of type ${types.join(", ")}.` }
    : {
        choice: { kind: "tests", files: chosen, names },
        notes: [...selection.notes, `Only those of type ${types.join(", ")}.`],
      };
}

function isOfType(runner: Runner, path: string, types: readonly TestType[]): boolean {
  return types.includes(runner.typeOf?.(path) ?? typeOfTest(path));
}

function testFiles(files: readonly string[], which: string): Selection {
  if (files.length === 0) return { nothing: `There are no tests ${which}.` };
  const shown = files.slice(0, 10).join(", ") + (files.length > 10 ? " and more" : "");
  const counted = files.length === 1 ? "Run was 1 file" : `Run were ${files.length} files`;
  return { choice: { kind: "tests", files, names: [] }, notes: [`${counted} ${which}: ${shown}.`] };
}

function everything(note?: string): Selection {
  return { choice: { kind: "all" }, notes: note === undefined ? [] : [note] };
}
