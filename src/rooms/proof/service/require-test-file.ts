import { detectRunner } from "../../../commons/test-runs/project/detect-runner.ts";
import { TestProject } from "../../../commons/test-runs/project/test-project.ts";
import { isTestFile } from "../../../commons/test-runs/selection/is-test-file.ts";
import { notATestFile } from "../model/errors.ts";

/** Refuses a file that the project's runner would not take for a test. One that is still to be written is looked at when it is run. */
export async function requireTestFile(root: string, file: string): Promise<void> {
  const project = new TestProject(root);
  const detected = project.isFile(file) ? await detectRunner(project) : undefined;
  if (detected && !(await isTestFile(project, detected, file))) throw notATestFile(file, detected.runner.name);
}
