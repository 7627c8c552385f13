import { ForgeError } from "../../../kernel/errors.ts";
import { packageScriptRunnables } from "../../trust/package-scripts.ts";
import type { Runnable } from "../../trust/runnable.ts";
import type { FoundRunner, Runner } from "../runner.ts";
import { runners } from "../runners/index.ts";
import { readTestScript } from "../runners/javascript.ts";
import { listConfiguredRunnables } from "./configured-commands.ts";
import type { TestProject } from "./test-project.ts";
import { workbenchFileName } from "./workbench-file.ts";

export type DetectedRunner = {
  runner: Runner;
  found: FoundRunner;
  /** All that must be trusted for it to run. */
  runnables: Runnable[];
  notes: string[];
};

/** The runner of a project's tests, found in its files; nothing of it is run. Undefined where none fits. */
export async function detectRunner(project: TestProject): Promise<DetectedRunner | undefined> {
  const fitting: { runner: Runner; found: FoundRunner }[] = [];
  for (const runner of runners) {
    const found = await runner.find(project);
    if (found) fitting.push({ runner, found });
    if (found && runner.onlyAll) break;
  }
  const [first, ...others] = fitting;
  if (!first) return undefined;
  const { runner, found } = first;
  const names = others.map(({ runner: { name } }) => name);
  const beside = `The project also has tests of ${names.join(", ")}; "testCommand" in ${workbenchFileName} chooses.`;
  return {
    ...first,
    runnables: listRunnables(project, runner, found),
    notes: [...found.notes, ...(names.length > 0 ? [beside] : [])],
  };
}

function listRunnables(project: TestProject, runner: Runner, found: FoundRunner): Runnable[] {
  if (runner.onlyAll) return listConfiguredRunnables(project.root).testCommand ?? [];
  // The script says what is started and with what, so a change of it is a change of what runs.
  const script = readTestScript(project)?.runner === runner.name ? packageScriptRunnables(project.root, ["test"]) : [];
  return [{ id: `tests:${runner.name}`, command: found.words }, ...script, ...found.files];
}

export function runnerNotFound(root: string): ForgeError {
  const looked = [
    `"testCommand" in ${workbenchFileName}`,
    "vitest, jest, mocha or node --test in package.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "pytest's settings or test_*.py",
  ];
  return new ForgeError("NOT_FOUND", `No test runner was found in ${root}. Looked for ${looked.join("; ")}.`, {
    details: { root, looked },
    next: [
      `A person can name the command that runs the tests, as a list of words, in ${workbenchFileName}: {"testCommand": ["make", "test"]}.`,
    ],
  });
}
