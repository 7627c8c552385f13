import type { z } from "zod";
import { ForgeError } from "../../../kernel/errors.ts";

const shownIssues = 3;
const longestQuote = 64;

/** What commands call a field. */
const names: Record<string, string> = {
  problemStatement: "problem",
  acceptanceCriteria: "criterion",
  fileChanges: "file",
  executionSummary: "summary",
  divergences: "divergence",
};

/** An error for a person who typed what does not fit into a ticket. */
export function misfit({ issues }: z.ZodError, given: unknown): ForgeError {
  const said = issues.slice(0, shownIssues).map((issue) => sentence(issue, valueAt(given, issue.path)));
  const more = issues.length > said.length ? [`And ${issues.length - said.length} more.`] : [];
  return new ForgeError("VALIDATION_ERROR", [...said, ...more].join(" "), {
    details: { issues: said },
    next: ["Correct it and run the command again."],
  });
}

function sentence(issue: z.core.$ZodIssue, value: unknown): string {
  const name = nameOf(issue.path);
  if (typeof value === "string") {
    if (issue.code === "too_small" && value.trim() === "") return `The ${name} is empty.`;
    if (issue.code === "too_small")
      return `The ${name} ${quoted(value)} is too short: at least ${characters(issue.minimum)}.`;
    if (issue.code === "too_big")
      return `The ${name} is too long: at most ${characters(issue.maximum)}, and it has ${value.length}.`;
    if (issue.code === "custom") return `The ${name} ${quoted(value)} ${issue.message}.`;
  }
  if (issue.code === "too_big" && issue.origin === "array")
    return `There is too much of one kind, ${name}: at most ${issue.maximum}.`;
  return `The ${name} does not fit: ${issue.message}.`;
}

/** `fileChanges.1.path` is the second file's. */
function nameOf(path: readonly PropertyKey[]): string {
  const [field = "ticket", index] = path.map(String);
  const name = (Object.hasOwn(names, field) ? names[field] : field) ?? field;
  return index === undefined ? name : `${name} ${Number(index) + 1}`;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    given,
  );
}

function quoted(text: string): string {
  return `"${text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text}"`;
}

function characters(count: number | bigint): string {
  return `${count} ${Number(count) === 1 ? "character" : "characters"}`;
}
