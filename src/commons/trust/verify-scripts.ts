import { join } from "node:path";
import { entryAt } from "../../platform/files/entry-at.ts";
import { checkRunnables, checksFor, detectStacks } from "../completion/checks.ts";
import { contractScriptNames } from "../completion/script-names.ts";
import { TestProject } from "../test-runs/project/test-project.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

/** What decides whether work is complete: the project's script, or else the commands for the stacks that it uses. */
export async function verifyScripts({ folders: [root] }: TrustPlace): Promise<Runnable[]> {
  const scripts = contractScriptNames.filter((name) => entryAt(join(root, name)));
  if (scripts.length > 0) return scripts.map((name) => ({ id: `script:${name}`, file: name }));
  const project = new TestProject(root);
  const checks = await Promise.all((await detectStacks(project)).map((stack) => checksFor(stack, project)));
  return checkRunnables(checks.flat(), project);
}
