import { ForgeError } from "../../../kernel/errors.ts";
import { excerpt } from "../../../kernel/text/excerpt.ts";

export function invalidPolicy(file: string, why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} cannot be used: ${why}.`, {
    details: { file },
    next: [{ command: "governance lint", why: "to see every problem in the project's rules" }],
    quotes: "repository",
  });
}

export function slowPattern(pattern: string, file: string): ForgeError {
  return new ForgeError("TIMEOUT", `The pattern "${excerpt(pattern)}" took too long on ${excerpt(file)}.`, {
    details: { pattern, file },
    next: ["Rewrite it without nested repetition such as `(a+)+`."],
  });
}

export function tooManyViolations(max: number): ForgeError {
  return new ForgeError("CONFIG_ERROR", `The project's rules are broken in more than ${max} places.`, {
    details: { max },
    next: ["Make the globs and patterns in Forge/Contracts/boundaries.json narrower."],
  });
}

export function slowSyntax(files: readonly string[]): ForgeError {
  const named = files.slice(0, 3).map(excerpt).join(", ");
  return new ForgeError("TIMEOUT", `More than ${files.length - 1} files take too long to parse: ${named} and others.`, {
    details: { files: files.map(excerpt) },
    next: [
      "Look at these files. Those that are meant to be like that can be added to `exclude` in Forge/invariants.json.",
    ],
  });
}

export function recordedMeanwhile(): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    "Other values were recorded while these were measured. Nothing was recorded.",
    {
      next: ["Record again, to compare with them."],
    },
  );
}

export function commandGaveNoNumber(name: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The command of the invariant ${name} gave no value: ${why}.`, {
    details: { invariant: name },
    next: ["Have it print a number as its last line, and exit with code 0."],
  });
}

/** It was ended before it could give one, which says nothing about the project. */
export function commandWasStopped(name: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The command of the invariant ${name} gave no value: ${why}.`, {
    details: { stopped: name },
    next: ["Give it more time with `timeout_seconds`, or make it faster."],
  });
}

export function unknownRevision(since: string): ForgeError {
  return new ForgeError("NOT_FOUND", `"${excerpt(since)}" is not a commit, branch or tag of this repository.`, {
    details: { since },
    next: ["In CI, fetch the full history first: `git fetch --unshallow`."],
  });
}

export function notInGit(what: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${what} needs a git repository.`, { next: ["Run `git init` first."] });
}

export function unknownRule(rule: string, known: readonly string[], next: string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${excerpt(rule)}" is not an invariant or a layer of this project.`, {
    details: { known },
    next: [...next, `Use one of: ${known.join(", ")}.`],
    quotes: "repository",
  });
}

/** A loosened limit or an exception is a decision that only a person makes. */
export function needsPerson(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Loosening a rule needs a person at a terminal.", {
    next: ["Ask the user to run the same command in a terminal."],
  });
}

export function worseValues(worse: readonly { name: string; before: number | null; after: number }[]): ForgeError {
  const list = worse.map(({ name, before, after }) => `${name}: ${before} to ${after}`).join(", ");
  return new ForgeError("PERMISSION_DENIED", `Recording a worse value needs a person at a terminal (${list}).`, {
    details: { worse },
    next: [{ command: "governance record --accept-worse", why: "in a terminal, to accept these values" }],
  });
}

export function notAReport(file: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${excerpt(file)} is not a JUnit XML report.`, {
    next: ["Have your test runner write a JUnit XML report, and pass its path."],
  });
}

export function hookExists(path: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${path} already exists, so nothing was changed.`, {
    details: { path },
    next: [{ command: "governance check", why: "is the line to add to it" }],
  });
}

export function hooksOutside(path: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${path} leads out of the repository, so nothing was written.`, {
    details: { path },
    next: [
      "Use a folder in the repository: replace a symbolic link by a folder, and correct core.hooksPath in the repository's git configuration.",
      "If you keep your hooks elsewhere on purpose, name their folder in your own git configuration (core.hooksPath in ~/.gitconfig).",
    ],
  });
}
