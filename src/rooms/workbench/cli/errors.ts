import { ForgeError } from "../../../kernel/errors.ts";

export function missingCommitMessage(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A commit needs a message that says what was done.", {
    next: [{ command: 'run commit -m "Add sign-in"', why: "to give one" }],
  });
}

export function conflictingCommitOptions(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--as-committed commits nothing more and completes the task.", {
    next: ["Leave out --file and --no-complete, or leave out --as-committed."],
  });
}

export function conflictingTicketOptions(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--ticket and --no-ticket contradict each other.", {
    next: ["Give one of them."],
  });
}

export function existingFile(file: string, cause: ForgeError): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${file} already exists.`, {
    details: { file },
    next: ["Choose another name, or use --force to replace it."],
    cause,
  });
}
