import type { Completer, Prompt } from "../definitions/prompt.ts";
import type { Resource } from "../definitions/resource.ts";
import { visible } from "../text/visible.ts";
import { assertWithinLimits } from "./input-limits.ts";
import { type Caller, type Outcome, perform, type Runtime, readPlan } from "./invoke.ts";

/** What can be completed: a prompt's argument or a variable of a resource's address. */
type Completable<Services> = Prompt<Services> | Resource<Services>;

/** Values for an argument as it is typed: not recorded, as nobody asked for them.  A completer gives these and nothing else: it reports and asks nothing. */
export async function complete<Services>(
  runtime: Runtime<Services>,
  toolset: string,
  item: Completable<Services>,
  argument: { name: string; value: string },
  { principal, signal }: Pick<Caller, "principal" | "signal">,
): Promise<Exclude<Outcome<string[]>, { kind: "asked" }>> {
  const name = "uri" in item ? item.uri : item.name;
  const { untrusted } = item;
  const what = { ...readPlan(toolset), kind: "completion", name, untrusted, quiet: true } as const;
  const ask = () => Promise.reject(new Error("a completer cannot ask"));
  const caller: Caller = { principal, signal, report() {}, log() {}, canAsk: () => false, ask };
  const outcome = await perform(runtime, what, caller, async (call) => {
    assertWithinLimits(argument);
    const completers: Record<string, Completer<Services> | undefined> = item.complete ?? {};
    // The name comes from outside: what every object inherits is not a completer.
    const completer = Object.hasOwn(completers, argument.name) ? completers[argument.name] : undefined;
    return async () => {
      const values = runtime.redactor.value((await completer?.(runtime.services, argument.value, call)) ?? []);
      // Written as an escape it would be another value.
      return values.filter((value) => visible(value) === value);
    };
  });
  if (outcome.kind === "asked") throw new Error("a completer cannot ask");
  return outcome;
}
