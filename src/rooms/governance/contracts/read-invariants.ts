import { ForgeError } from "../../../kernel/errors.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { builtInInvariants } from "../check/built-in.ts";
import { invariantsFile, listInvariants, parsePolicyFile } from "../check/policy.ts";
import type { InvariantFacts } from "../model/contract.ts";
import { limits } from "../model/limits.ts";

/** The project's own invariants come after those that every project has; a file that cannot be used is a warning. */
export async function readInvariants(root: string): Promise<{ invariants: InvariantFacts[]; warnings?: string[] }> {
  const files = SafeRoot.at(root);
  if (!(await files.stat(invariantsFile))) return { invariants: [...builtInInvariants] };
  try {
    const { text } = await files.readText(invariantsFile, { maxBytes: limits.contract });
    const own = listInvariants(await parsePolicyFile(text));
    return {
      invariants: own.map(({ name, constraint, default_value, description }) => ({
        name,
        constraint,
        default_value,
        description,
      })),
    };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return { invariants: [...builtInInvariants], warnings: [error.message] };
  }
}
