import { existsSync } from "node:fs";
import { type ErrorCode, ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../host/error-code.ts";

/** Reasons that a user can do something about; others are shown by the system's name for them. */
const failures = {
  ENOENT: (command) => ["DEPENDENCY_ERROR", "the program was not found", `Install ${command}, or correct PATH.`],
  EACCES: (command, cwd) => [
    "PERMISSION_DENIED",
    "it is not executable",
    `Check that ${command} is a file that this user may execute, and that the folder ${cwd} is accessible.`,
  ],
  ENOEXEC: (command) => [
    "DEPENDENCY_ERROR",
    "it is neither a program for this system nor a script with an interpreter line",
    `Start the script with a line such as #!/bin/sh, or run its interpreter with ${command} as an argument.`,
  ],
  CRLF: (command) => [
    "DEPENDENCY_ERROR",
    "its first line ends in a carriage return, which becomes part of the interpreter's name",
    `Save ${command} with Unix line endings (LF); \`*.sh text eol=lf\` in .gitattributes keeps them.`,
  ],
  NO_INTERPRETER: (command) => [
    "DEPENDENCY_ERROR",
    "the interpreter that its first line names does not exist",
    `Install the interpreter, or correct the first line of ${command}.`,
  ],
  ETXTBSY: () => ["CONFLICT_ERROR", "it is still being written", "Try again when it is written."],
  EMFILE: () => ["DEPENDENCY_ERROR", "Forge has too many files open", "Try again when fewer processes are running."],
  EAGAIN: () => ["DEPENDENCY_ERROR", "this user has too many processes", "Try again when fewer processes are running."],
  ENOMEM: () => ["DEPENDENCY_ERROR", "the system is out of memory", "Try again when fewer processes are running."],
  E2BIG: () => ["VALIDATION_ERROR", "its arguments are too long for the system", "Give it fewer arguments at a time."],
  ENAMETOOLONG: () => ["VALIDATION_ERROR", "its name is too long", "Give a shorter name."],
  BATCH: (command) => [
    "VALIDATION_ERROR",
    "it is a batch file, which only a shell can run, and a shell would read its arguments as commands",
    `Run the program that ${command} starts, such as node with the path of its script.`,
  ],
  NUL: () => ["VALIDATION_ERROR", "its name or an argument is empty or contains a NUL character", "Remove it."],
} as const satisfies Record<string, (command: string, cwd: string) => [ErrorCode, problem: string, advice: string]>;

export type StartFailure = keyof typeof failures;

/** Why a program could not be started, in words; `details.reason` for programs. */
export function startError(error: unknown, command: string, cwd: string): ForgeError {
  if (error instanceof ForgeError) return error;
  const reason = reasonOf(error);
  const details = { command: command.slice(0, 256), cwd, reason };
  const begun = `${details.command || "A program"} could not be started: `;
  if (reason === "ENOTDIR" || (reason === "ENOENT" && !existsSync(cwd)))
    return new ForgeError("NOT_FOUND", `${begun}its folder ${cwd} does not exist.`, {
      details,
      next: ["Use an existing folder."],
    });
  if (reason === "ENOENT" && command.includes("/"))
    return new ForgeError("NOT_FOUND", `${begun}the file does not exist.`, {
      details,
      next: ["Use an existing file."],
    });
  if (!isKnown(reason))
    return new ForgeError("DEPENDENCY_ERROR", `${begun}${reason}.`, {
      details,
      next: [`Check that it runs in a terminal in ${cwd}.`],
      cause: error,
    });
  const [code, problem, advice] = failures[reason](details.command, cwd);
  return new ForgeError(code, `${begun}${problem}.`, { details, next: [advice], cause: error });
}

function isKnown(reason: string): reason is StartFailure {
  return Object.hasOwn(failures, reason);
}

function reasonOf(error: unknown): string {
  if (typeof error === "string") return error;
  const code = errorCode(error) ?? "unknown reason";
  return code === "ERR_INVALID_ARG_VALUE" ? "NUL" : code;
}
