import type { CheckHow } from "../../../commons/evidence/checks.ts";

/** A check in a few words. */
export function describeCheck(how: CheckHow): string {
  if (how.type === "test") return `${how.file}::${how.name}`;
  if (how.type === "command") return how.command.join(" ");
  if (how.type === "file") return how.pattern === undefined ? how.path : `${how.path} contains /${how.pattern}/`;
  if (how.type === "look") return how.what;
  if (how.type === "invariant") return `invariant ${how.name}`;
  const bounds = [
    how.max === undefined ? "" : `at most ${how.max}`,
    how.min === undefined ? "" : `at least ${how.min}`,
  ];
  return `${how.command.join(" ")} ${bounds.filter((bound) => bound !== "").join(", ")}`;
}
