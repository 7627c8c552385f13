import { ForgeError } from "../../kernel/errors.ts";

export function wrongTime(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Invalid query: since is not a time.", {
    details: { expected: "an ISO 8601 time such as 2026-01-31T12:00:00Z, or milliseconds since 1970" },
    next: ["Correct the time and send the request again."],
  });
}
