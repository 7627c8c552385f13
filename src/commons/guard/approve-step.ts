import type { AskedStep } from "../../kernel/calls/asked-step.ts";
import type { Call } from "../../kernel/calls/call.ts";
import { isRecord } from "../../kernel/json.ts";
import type { Guard } from "./guard.ts";
import { sayWith } from "./question.ts";

/**
 * Before an operation that is no part of any ticket's scope, such as publishing a plugin. What changes a ticket asks where that is
 * done, and what only shows the changes makes none.
 */
export async function approveStep(
  guard: Pick<Guard, "require">,
  call: Call,
  { title, input, said = input, ofUser }: AskedStep,
): Promise<void> {
  const isOfTicket = call.record.about.some((subject) => subject.startsWith("ticket:")) && !ofUser;
  if (isOfTicket || isDryRun(input)) return;
  const { name } = call.record;
  const action = { summary: sayWith(title, said), content: input, touches: [`command:${name}`], ofUser };
  await guard.require(call, action, { touches: [] });
}

function isDryRun(input: unknown): boolean {
  return isRecord(input) && (input["dryRun"] === true || input["dry_run"] === true);
}
