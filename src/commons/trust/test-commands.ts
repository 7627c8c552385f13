import { ForgeError } from "../../kernel/errors.ts";
import { listConfiguredRunnables, listPassedVariables } from "../test-runs/project/configured-commands.ts";
import { detectRunner } from "../test-runs/project/detect-runner.ts";
import { TestProject } from "../test-runs/project/test-project.ts";
import { listNetworkSetting } from "../test-runs/project/workbench-file.ts";
import type { TrustPlace } from "./place.ts";
import type { Runnable } from "./runnable.ts";

/** What runs the project's tests, and the commands that it names itself. A file that cannot be understood names none. */
export async function testCommands({ folders: [root] }: TrustPlace): Promise<Runnable[]> {
  try {
    const { setupCommand = [] } = listConfiguredRunnables(root);
    const detected = await detectRunner(new TestProject(root));
    const settings = [...listPassedVariables(root), ...listNetworkSetting(root)];
    return [...(detected?.runnables ?? []), ...setupCommand, ...settings];
  } catch (error) {
    if (error instanceof ForgeError && error.code === "CONFIG_ERROR") return [];
    throw error;
  }
}
