import { ForgeError } from "../../kernel/errors.ts";

export function wrongSince(text: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `--since cannot be "${text.slice(0, 64)}": it is a time span or a date.`, {
    next: ["Write a span as 30s, 15m, 1h, 2d or 1w, a date as 2026-11-01 or 2026-11-01T14:30."],
  });
}

export function wrongTime(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Invalid query: since is not a time.", {
    details: { expected: "an ISO 8601 time such as 2026-01-31T12:00:00Z, or milliseconds since 1970" },
    next: ["Correct the time and send the request again."],
  });
}
