import { ForgeError } from "../../../kernel/errors.ts";
import type { Trust } from "../../trust/index.ts";
import { detectRunner } from "./detect-runner.ts";
import { TestProject } from "./test-project.ts";

/** Why a project's tests would not run until a person allows it, and how that is done; undefined where that is not in the way. */
export async function findUntrustedTests(trust: Pick<Trust, "require">, root: string): Promise<string | undefined> {
  try {
    const project = new TestProject(root);
    const detected = await detectRunner(project);
    if (detected) await trust.require(project.root, detected.runnables);
    return undefined;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (error.code !== "TRUST_REQUIRED") return undefined;
    return [error.message, ...(error.next ?? [])].join(" ");
  }
}
