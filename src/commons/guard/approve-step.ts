import type { Call } from "../../kernel/calls/call.ts";
import type { AskedStep } from "../../kernel/calls/invoke.ts";
import { isRecord } from "../../kernel/json.ts";
import type { Guard } from "./guard.ts";

const maxValueLength = 1_000;
const secretField = /^(?:token|secret|password)$/i;

/**
 * Before an operation that is no part of any ticket's scope, such as publishing a plugin. What is about a ticket asks where the
 * ticket is changed, and what only shows the changes makes none.
 */
export async function approveStep(
  guard: Pick<Guard, "require">,
  call: Call,
  { title, input, ofUser }: AskedStep,
): Promise<void> {
  if (call.record.about.some((subject) => subject.startsWith("ticket:")) || isDryRun(input)) return;
  const { name } = call.record;
  const action = { summary: summarize(title, input), content: input, touches: [`command:${name}`], ofUser };
  await guard.require(call, action, { touches: [] });
}

function isDryRun(input: unknown): boolean {
  return isRecord(input) && (input["dryRun"] === true || input["dry_run"] === true);
}

/** The title with what was given: `Publish a plugin (folder: "plug", registry: "acme")`. */
function summarize(title: string, input: unknown): string {
  const fields = isRecord(input) ? Object.entries(input) : [];
  const said = fields.flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    const text = secretField.test(name) ? "not shown" : JSON.stringify(value);
    return [`${name}: ${text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text}`];
  });
  return said.length > 0 ? `${title} (${said.join(", ")})` : title;
}
