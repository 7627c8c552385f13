import { packageScriptRunnables } from "../../trust/package-scripts.ts";
import type { Runnable } from "../../trust/runnable.ts";
import type { FoundRunner, Runner } from "../runner.ts";
import { runners } from "../runners/index.ts";
import { readTestScript } from "../runners/javascript.ts";
import { listConfiguredRunnables, listPassedVariables } from "./configured-commands.ts";
import type { TestProject } from "./test-project.ts";
import { workbenchFileName } from "./workbench-file.ts";

export type DetectedRunner = {
  runner: Runner;
  found: FoundRunner;
  /** Everything that must be trusted for it to run. */
  runnables: Runnable[];
  notes: string[];
};

/** Finds the test runner of a project by its files; nothing is executed. Undefined if there is none. */
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
  const beside = `The project also has tests for ${names.join(", ")}; choose with "testCommand" in ${workbenchFileName}.`;
  return {
    ...first,
    runnables: listRunnables(project, runner, found),
    notes: [...found.notes, ...(names.length > 0 ? [beside] : [])],
  };
}

/** What must be trusted for one runner's tests to run, whichever is used by default; none if the project has no such tests. */
export async function listRunnerRunnables(project: TestProject, name: string): Promise<Runnable[]> {
  const runner = runners.find((one) => one.name === name);
  const found = await runner?.find(project);
  return runner && found ? listRunnables(project, runner, found) : [];
}

function listRunnables(project: TestProject, runner: Runner, found: FoundRunner): Runnable[] {
  if (runner.onlyAll) return listConfiguredRunnables(project.root).testCommand ?? [];
  // The script decides what is started and how, so a change of it needs trust again.
  const script = readTestScript(project)?.runner === runner.name ? packageScriptRunnables(project.root, ["test"]) : [];
  return [
    { id: `tests:${runner.name}`, command: found.words },
    ...script,
    ...found.files,
    ...listPassedVariables(project.root),
  ];
}
