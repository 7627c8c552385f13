import type { ActionFormatter } from "../../kernel/action.ts";
import { type ErrorBody, ForgeError, wireError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { plain, plainJson, plainLines } from "../../platform/terminal/text.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Terminal } from "./output.ts";

type ErrorView = { out: Terminal; redactor: Redactor; debug: boolean; word: ActionFormatter };

/** Tells the user (or, with `--json`, the script) what failed; returns the exit code. */
export function showError(thrown: unknown, { out, redactor, debug, word }: ErrorView): number {
  const body = redactor.value(wireError(thrown instanceof ForgeError ? thrown.toBody() : unexpectedBody, word));
  if (out.json) out.print(plainJson(JSON.stringify(body, null, 2)));
  else {
    out.note(`${out.errorStyle.red("error:")} ${plain(body.message)}`);
    for (const suggestion of body.suggestions ?? []) out.note(`  ${plain(suggestion)}`);
  }
  if (debug && thrown instanceof Error) out.note(plainLines(redactor.text(traceOf(thrown))));
  return exitCodes[body.code];
}

/** The message of an unexpected error may contain paths or secrets, so it is shown only on request. */
const unexpectedBody: ErrorBody = new ForgeError("INTERNAL_ERROR", "Something went wrong inside Forge.", {
  next: ["Run it again with DEBUG=forge:* to see where, and report it with what that shows."],
}).toBody();

function traceOf(error: Error): string {
  const trace = error.stack ?? error.message;
  return error.cause instanceof Error ? `${trace}\ncaused by ${error.cause.stack ?? error.cause.message}` : trace;
}
