import { ForgeError } from "../../../kernel/errors.ts";
import { excerpt } from "../../../kernel/text/excerpt.ts";

export function failureNotFound(run: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Run "${excerpt(run)}" not found.`, {
    details: { run: run.slice(0, 64) },
    next: ["Use the id in the result of a completion contract (cc_…) or of a test run (test_…)."],
  });
}

export function nothingFailed(run: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Run ${excerpt(run)} did not fail, so there is nothing to file.`, {
    details: { run },
  });
}

export function nothingToFile(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "There is nothing to file: neither a run nor a title was given.", {
    next: ["Give the id of a failed run, or a title that says what went wrong."],
  });
}
