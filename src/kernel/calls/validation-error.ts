import type { z } from "zod";
import { ForgeError } from "../errors.ts";
import { anyOf } from "../text/closest.ts";

const maxIssues = 5;

/** One clear error for input that does not fit: what was wrong, what was expected. Never quotes a long value back. */
export function validationError(error: z.ZodError, what: string, expected: string[]): ForgeError {
  const issues = error.issues.slice(0, maxIssues).map(describe);
  const more = error.issues.length - issues.length;
  const expectation = expected.length > 0 ? `Expected arguments: ${expected.join(", ")}.` : "Expected no arguments.";
  return new ForgeError(
    "VALIDATION_ERROR",
    `Invalid ${what}: ${issues.join("; ")}${more > 0 ? `; and ${more} more` : ""}. ${expectation}`,
    { details: { issues, expected }, next: ["Correct the arguments and call again."] },
  );
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length > 0 ? `${cut(issue.path.join("."))}: ` : "";
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.slice(0, maxIssues).map((key) => `"${cut(key)}"`);
    return `${where}unknown argument${issue.keys.length > 1 ? "s" : ""} ${names.join(", ")}`;
  }
  return `${where}${cut(plainMessage(issue), 400)}`;
}

/** A schema that has its own message knows better what was meant. */
const isLibraryMessage = /^(?:Too (?:small|big)|Invalid)\b/;

/** The issue in plain English, where the library's own words are terse. */
function plainMessage(issue: z.core.$ZodIssue): string {
  if (!isLibraryMessage.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "too_small":
      if (issue.origin === "string" && Number(issue.minimum) === 1) return "must not be empty";
      return `must ${sizeOf(issue.origin, "at least", Number(issue.minimum))}`;
    case "too_big":
      return `must ${sizeOf(issue.origin, "at most", Number(issue.maximum))}`;
    case "invalid_value":
      return `must be ${anyOf(issue.values.map(String))}`;
    case "invalid_type":
      return issue.message.endsWith("received undefined") ? "is required" : `must be ${article(issue.expected)}`;
    default:
      return issue.message;
  }
}

function sizeOf(origin: string, bound: string, size: number): string {
  if (origin === "string") return `have ${bound} ${size} ${size === 1 ? "character" : "characters"}`;
  if (origin === "array" || origin === "set") return `have ${bound} ${size} ${size === 1 ? "item" : "items"}`;
  return `be ${bound} ${size}`;
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function cut(text: string, length = 64): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
