import { ForgeError } from "../../kernel/errors.ts";

const maxNamed = 5;

const trustProject = { command: "trust", why: "in the project's folder, to review what would run and allow it" };

export function notTrusted(project: string, ids: string[]): ForgeError {
  return new ForgeError("TRUST_REQUIRED", `${project} is not trusted, so ${listIds(ids)} was not run.`, {
    details: { project, missing: ids },
    next: [trustProject],
  });
}

export function changedSinceTrusted(project: string, since: string, sha256: Record<string, string>): ForgeError {
  const ids = Object.keys(sha256);
  return new ForgeError(
    "TRUST_REQUIRED",
    `${listIds(ids)} was changed or added after ${project} was trusted on ${since.slice(0, 10)}, so it was not run.`,
    {
      details: { project, missing: ids, sha256 },
      next: [{ command: "status", why: "to see what differs" }, trustProject],
    },
  );
}

/** What cannot be trusted, whatever a person says; `why` goes on after its name. */
export function cannotBeTrusted(project: string, refused: readonly { id: string; why: string }[]): ForgeError {
  const { id, why } = refused[0] ?? { id: "It", why: "cannot be read" };
  return new ForgeError("TRUST_REQUIRED", `${id} ${why}, so it was not run and cannot be trusted.`, {
    details: { project, missing: refused.map((item) => item.id) },
    next: [
      id.startsWith("git-config:")
        ? "Remove it from git's configuration; `git config --list --show-origin` shows where it is."
        : "Replace it with a regular file inside the project.",
      { command: "trust", why: "afterwards, to allow what would run" },
    ],
  });
}

/** For somebody's home as a repository: whatever is checked out there could say what is trusted. */
export function containsTrustRecords(project: string, recordsFolder: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${project} contains ${recordsFolder}, where trust is recorded, so it cannot be trusted itself.`,
    { details: { project }, next: ["Work in a folder below it that is a project of its own."] },
  );
}

export function unreadableRecord(file: string, project: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} records what is trusted in ${project}, but it cannot be read.`, {
    details: { file },
    next: [{ command: "trust", why: "to review what would run and write the file again" }],
  });
}

export function unreadableGitConfiguration(root: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `The git configuration of ${root} cannot be read, so it is not known what git would run.`,
    {
      details: { root },
      next: ["Run `git config --list --show-origin` there to see what is wrong."],
    },
  );
}

export function tooManyHooks(folder: string, count: number): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${folder} is configured as the folder of git hooks, but it contains ${count} programs.`,
    {
      details: { folder },
      next: ["Check `git config core.hooksPath` in the repository, and correct it."],
    },
  );
}

function listIds(ids: string[]): string {
  const named = ids.slice(0, maxNamed).join(", ");
  return ids.length > maxNamed ? `${named} and ${ids.length - maxNamed} more` : named;
}
