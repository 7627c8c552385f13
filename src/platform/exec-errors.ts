import { existsSync } from "node:fs";
import { ForgeError } from "../kernel/errors.ts";

/** Why a program could not be started, in words. */
export function startError(error: unknown, command: string, cwd: string): ForgeError {
  const code = codeOf(error);
  const details = { command, cwd, reason: code };
  if (code === "ENOENT" && !existsSync(cwd))
    return new ForgeError("NOT_FOUND", `${command} could not be started: its folder ${cwd} does not exist.`, {
      details,
      suggestions: ["Name an existing folder."],
    });
  if (code === "ENOENT")
    return new ForgeError("DEPENDENCY_ERROR", `${command} could not be started: there is no such program.`, {
      details,
      suggestions: [`Install ${command}, or correct the PATH of the process that starts Forge.`],
    });
  if (code === "EACCES")
    return new ForgeError("PERMISSION_DENIED", `${command} could not be started: it may not be executed.`, {
      details,
      suggestions: [`Check that ${command} is executable for this user and that the folder ${cwd} may be entered.`],
    });
  if (code === "ERR_INVALID_ARG_VALUE")
    return new ForgeError(
      "VALIDATION_ERROR",
      "A program's name, arguments or folder may not contain a NUL character.",
      {
        details: { reason: code },
        suggestions: ["Leave the NUL character out."],
      },
    );
  return new ForgeError("DEPENDENCY_ERROR", `${command} could not be started (${code}).`, {
    details,
    suggestions: [`Check that ${command} runs when started by hand in ${cwd}.`],
    cause: error,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}
