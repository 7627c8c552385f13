import { ForgeError } from "../../kernel/errors.ts";

export function contractTimedOut(ms: number, output: string): ForgeError {
  return new ForgeError(
    "TIMEOUT",
    `The completion contract was stopped after ${Math.round(ms / 1000)} seconds. There is no verdict.`,
    {
      details: { deadlineMs: ms, output },
      next: ["Look at the end of the output for the check that hangs. It may wait for input or a service."],
    },
  );
}

export function contractKilled(signal: string, output: string): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `The completion contract was ended by ${signal}. There is no verdict.`, {
    details: { signal, output },
    next: ["Run it again. If it happens each time, the checks may need more memory than there is."],
  });
}

export function notAFolder(path: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `working_dir "${path.slice(0, 200)}" is not a folder inside the project.`, {
    details: { working_dir: path.slice(0, 200) },
    next: ["Give a folder's path relative to the project, or leave it out."],
  });
}

export function installedFolder(path: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `Nothing is run in "${path.slice(0, 200)}": what the registry installed is not the project's own code.`,
    {
      details: { working_dir: path.slice(0, 200) },
      next: ["Give a folder of the project's own code, or leave it out."],
    },
  );
}

export function folderNotCovered(path: string, files: readonly string[]): ForgeError {
  const shown = files.slice(0, 5).join(", ");
  return new ForgeError(
    "PERMISSION_DENIED",
    `Nothing is run in "${path.slice(0, 200)}": tests there would use files that you have not trusted (${shown}).`,
    {
      details: { working_dir: path.slice(0, 200), files: files.slice(0, 20) },
      next: ["Check the entire project, or have a cc-verify.sh check the folder."],
    },
  );
}
