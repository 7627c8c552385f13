import { ForgeError } from "../../../kernel/errors.ts";
import { checks as allChecks } from "./checks/index.ts";
import type { Check, Finding, Seen, World } from "./model.ts";

type Options = { fix: boolean; checks?: readonly Check[] };

/** Looks at everything, one after the other; with `fix`, mends what can be mended safely and looks again. */
export async function examine(world: World, { fix, checks = allChecks }: Options): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    world.signal.throwIfAborted();
    const seen = await lookAt(check, world);
    if (!seen) continue;
    const fixed = fix ? mend(seen) : undefined;
    const now = fixed?.done === undefined ? seen : ((await lookAt(check, world)) ?? seen);
    findings.push({
      id: check.id,
      title: check.title,
      state: now.state,
      message: now.message,
      mend: [...(fixed?.failure ?? []), ...(now.mend ?? [])],
      fixable: now.fix !== undefined,
      ...(fixed?.done !== undefined && { fixed: fixed.done }),
    });
  }
  return findings;
}

/** A check that cannot be made is a finding too; only what was written for people is repeated. */
async function lookAt(check: Check, world: World): Promise<Seen | undefined> {
  try {
    return await check.look(world);
  } catch (error) {
    if (!(error instanceof ForgeError)) {
      return { state: "problem", message: "This could not be looked at.", mend: [reportIt] };
    }
    return { state: "problem", message: error.message, mend: error.next ?? [] };
  }
}

const reportIt = "Run it again with DEBUG=forge:* and report what that shows.";

function mend({ fix }: Seen): { done?: string; failure?: string[] } | undefined {
  if (!fix) return undefined;
  try {
    return { done: fix() };
  } catch {
    return { failure: ["--fix could not mend it; do it by hand:"] };
  }
}
