import type { Call } from "../../../src/kernel/calls/call.ts";
import { type Caller, type Outcome, perform, type Runtime, scopeFor } from "../../../src/kernel/calls/invoke.ts";
import type { Effect } from "../../../src/kernel/effect.ts";

/** What a command does to the program's data without a tool: named for the ledger, and held to scopes like any call. */
export type Operation<Services, T> = {
  name: string;
  effect: Effect;
  toolset: string;
  about: string[];
  /** 30 s by default. */
  deadlineMs?: number | undefined;
  run(services: Services, call: Call): Promise<T>;
};

/** Runs a command's operation. Its result is the person's own data and is handed over as it is, not redacted. */
export async function operate<Services, T>(
  runtime: Runtime<Services>,
  { name, effect, toolset, about, deadlineMs, run }: Operation<Services, T>,
  caller: Caller,
): Promise<Outcome<T>> {
  const scope = scopeFor(toolset, effect);
  const what = { kind: "command", name, effect, scope, deadlineMs, untrusted: undefined } as const;
  return perform(runtime, what, caller, async (call) => {
    call.record.about = about;
    return () => run(runtime.services, call);
  });
}
