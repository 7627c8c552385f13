import type { CommandFacts } from "../../src/kernel/definitions/command.ts";

const maxHandTyped = 10;

/** Commands that are no operation on a project's data: they serve, set up, sign in, or are about the command line itself. */
const noOperation = new Set([
  "approve",
  "call",
  "completion",
  "demo",
  "doctor",
  "edit",
  "execute",
  "governance edit",
  "help",
  "init",
  "log",
  "link",
  "login",
  "logout",
  "mcp",
  "prompt",
  "resource",
  "review",
  "run watch",
  "serve",
  "status",
  "toolsets",
  "trust",
  "untrust",
  "up",
  "update-check",
  "version",
]);

function operations(facts: readonly CommandFacts[]): CommandFacts[] {
  return facts.filter(({ name, hidden, isGroup }) => !hidden && !isGroup && !noOperation.has(name));
}

/** Options that no tool's schema gives, over all commands that are operations. */
export function commandBreaches(facts: readonly CommandFacts[]): string[] {
  const typed = operations(facts).flatMap(({ name, options = {} }) =>
    Object.entries(options).flatMap(([flag, { field }]) => (field === undefined ? [`forge ${name} --${flag}`] : [])),
  );
  if (typed.length <= maxHandTyped) return [];
  return [`${typed.length} options are typed by hand, at most ${maxHandTyped}: ${typed.join(", ")}`];
}

/** How many of the operations are derived from a tool. */
export function shareDerived(facts: readonly CommandFacts[]): number {
  const all = operations(facts);
  return all.filter(({ tool }) => tool !== undefined).length / all.length;
}
