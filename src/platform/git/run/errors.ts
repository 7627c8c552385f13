import { ForgeError } from "../../../kernel/errors.ts";
import type { RunResult } from "../../exec/run.ts";
import { findHeldLock, lockError } from "./locks.ts";

const maxShown = 300;

export function notARepository(path: string): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `${path} is not in a git repository: neither it nor a parent folder contains a .git.`,
    {
      label: "Not a git repository",
      details: { path },
      next: ["Pass the path of a folder inside a git repository, or start Forge in the project's folder."],
    },
  );
}

export function bareRepository(path: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${path} is a bare git repository, which has no work tree.`, {
    details: { path },
    next: ["Pass the path of a clone or of a linked work tree of it."],
  });
}

export function ambiguousRevision(name: string, refs: readonly string[]): ForgeError {
  const shown = name.slice(0, 200);
  return new ForgeError(
    "VALIDATION_ERROR",
    `"${shown}" can mean more than one commit here: ${refs.join(", ").slice(0, 500)}.`,
    {
      details: { revision: shown, refs: refs.slice(0, 10) },
      next: ["Give the complete name, such as refs/heads/main, or the complete id of the commit."],
      quotes: "repository",
    },
  );
}

/** Why a git command failed, in words. */
export function gitFailure(command: string, workTree: string, result: RunResult): ForgeError {
  const said = errorLine(result.stderr.toString());
  const details = { command: `git ${command}`, workTree, exitCode: result.code };
  if (result.timedOut)
    return new ForgeError("TIMEOUT", `git ${command} took too long in ${workTree} and was stopped.`, {
      details,
      next: ["Try again when the machine is less busy.", `Check whether \`git ${command}\` also hangs in a terminal.`],
    });
  const lock = findHeldLock(result.stderr.toString());
  if (lock !== undefined) return lockError(lock, command, workTree);
  if (said.includes("dubious ownership"))
    return new ForgeError(
      "PERMISSION_DENIED",
      `git does not read ${workTree}, because the folder belongs to another user.`,
      {
        details,
        next: [
          "Run Forge as the user who owns the folder.",
          "Or the user adds exactly this path to git's safe.directory (see docs/troubleshooting.md).",
        ],
      },
    );
  if (result.code === 129)
    return new ForgeError(
      "DEPENDENCY_ERROR",
      `This version of git does not support what Forge needs of \`git ${command}\`: ${said}`,
      {
        details,
        next: ["Update git to version 2.31 or newer."],
      },
    );
  return new ForgeError("DEPENDENCY_ERROR", `git ${command} failed in ${workTree}: ${said}`, {
    details,
    next: ["Run `git status` there in a terminal, and fix what it reports."],
  });
}

/** A file whose content this clone does not have. */
export function missingContent(commit: string, path: string): ForgeError {
  const file = `${commit}:${path}`;
  return new ForgeError("DEPENDENCY_ERROR", `The content of ${path} at ${commit} is not in this clone.`, {
    details: { commit, path },
    next: [`Run \`git show ${file}\` in a terminal. In a partial clone, git then fetches it.`],
  });
}

/** A file of a commit that is larger than any that Forge reads. */
export function tooLargeAt(commit: string, path: string, maxBytes: number): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `${path} at ${commit} is larger than ${maxBytes} bytes.`, {
    details: { commit, path, maxBytes },
    next: ["Use a commit in which the file is smaller."],
  });
}

function errorLine(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((one) => /^(?:fatal|error):/.test(one)) ?? lines.at(-1) ?? "it gave no reason.";
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
