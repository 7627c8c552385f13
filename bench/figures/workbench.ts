import type { Effort } from "../effort.ts";
import type { Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { measureWorkbenchExecute } from "./workbench-execute.ts";
import { measureWorkbenchFiles } from "./workbench-files.ts";
import { measureWorkbenchTasks } from "./workbench-tasks.ts";
import { measureWorkbenchTests } from "./workbench-tests.ts";

export async function measureWorkbench(workshop: Workshop, effort: Effort): Promise<{ rows: Row[]; samples: object }> {
  const files = await measureWorkbenchFiles(workshop, effort);
  const tasks = await measureWorkbenchTasks(workshop, effort);
  const execute = await measureWorkbenchExecute(workshop, effort);
  const tests = await measureWorkbenchTests(workshop, effort);
  return {
    rows: [...files.rows, ...tasks.rows, ...execute.rows, ...tests.rows],
    samples: { files: files.samples, tasks: tasks.samples, execute: execute.samples, tests: tests.samples },
  };
}
