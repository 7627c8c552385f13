import type { Call } from "../../../kernel/calls/call.ts";

/** Whether a person gave the command, and no assistant called a tool. */
export function isByPerson({ principal, record }: Call): boolean {
  return principal.atKeyboard === true || record.kind === "command";
}
