import type { z } from "zod";
import { ForgeError } from "./errors.ts";

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
  return `${where}${cut(issue.message, 400)}`;
}

function cut(text: string, length = 64): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
