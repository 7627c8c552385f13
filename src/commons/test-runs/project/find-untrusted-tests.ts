import { ForgeError } from "../../../kernel/errors.ts";
import type { Trust } from "../../trust/index.ts";
import { detectRunner } from "./detect-runner.ts";
import { TestProject } from "./test-project.ts";

/** Why a project's tests may not run until the user trusts them; undefined if they may, or if something else is wrong. */
export async function findUntrustedTests(trust: Pick<Trust, "require">, root: string): Promise<ForgeError | undefined> {
  try {
    const project = new TestProject(root);
    const detected = await detectRunner(project);
    if (detected) await trust.require(project.root, detected.runnables);
    return undefined;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return error.code === "TRUST_REQUIRED" ? error : undefined;
  }
}
