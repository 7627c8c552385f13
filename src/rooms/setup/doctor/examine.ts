import { ForgeError } from "../../../kernel/errors.ts";
import { checksStopped } from "../errors.ts";
import { checks as allChecks } from "./checks/index.ts";
import type { Check, CheckResult, Finding, World } from "./model.ts";

type Options = { fix: boolean; checks?: readonly Check[] };

/** Runs every check in turn; with `fix`, repairs what is safe to repair and checks again. */
export async function examine(world: World, { fix, checks = allChecks }: Options): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    if (world.signal.aborted) throw checksStopped();
    const found = await runCheck(check, world);
    if (!found) continue;
    const fixed = fix ? repair(found) : undefined;
    const now = fixed?.done === undefined ? found : ((await runCheck(check, world)) ?? found);
    findings.push({
      id: check.id,
      title: check.title,
      state: now.state,
      message: now.message,
      next: [...(fixed?.failure ?? []), ...(now.next ?? [])],
      fixable: now.fix !== undefined,
      ...(fixed?.done !== undefined && { fixed: fixed.done }),
    });
  }
  return findings;
}

/** A check that fails is a finding too; only messages that were written for users are repeated. */
async function runCheck(check: Check, world: World): Promise<CheckResult | undefined> {
  try {
    return await check.look(world);
  } catch (error) {
    if (!(error instanceof ForgeError)) {
      return { state: "problem", message: "This check failed.", next: [reportIt] };
    }
    return { state: "problem", message: error.message, next: error.next ?? [] };
  }
}

const reportIt = "Run it again with DEBUG=forge:* and report what that shows.";

function repair({ fix }: CheckResult): { done?: string; failure?: string[] } | undefined {
  if (!fix) return undefined;
  try {
    return { done: fix() };
  } catch {
    return { failure: ["--fix failed; do it by hand:"] };
  }
}
