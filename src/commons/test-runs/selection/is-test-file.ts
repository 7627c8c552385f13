import { compileGlob, isGlob } from "../../patterns/glob.ts";
import type { DetectedRunner } from "../project/detect-runner.ts";
import type { TestProject } from "../project/test-project.ts";

/** Whether the runner would take a file for a test. Some run any file that they are given, and that may be a script that deploys. */
export async function isTestFile(
  project: TestProject,
  { runner, found }: Pick<DetectedRunner, "runner" | "found">,
  path: string,
): Promise<boolean> {
  const isOwn = !project.isInstalled(path);
  const isTest = () => runner.runsTestsOnly || runner.isTest(path) || runner.saysTest?.(project, path);
  if (runner.onlyAll || (isOwn && isTest())) return true;
  for (const word of found.extra) if (await isNamedBy(word, path)) return true;
  return false;
}

/** Whether a word of the trusted command is the file, a folder that it is in, or a pattern for it. */
async function isNamedBy(word: string, path: string): Promise<boolean> {
  const named = word.replace(/^\.\//, "").replace(/\/$/, "");
  if (named === "" || named.startsWith("-")) return false;
  if (!isGlob(named)) return path === named || path.startsWith(`${named}/`);
  const matches = await compileGlob(named);
  return typeof matches !== "string" && matches(path);
}
