import { ForgeError } from "../../../kernel/errors.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";

export function noChecks(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `No check is bound to a criterion of ${id}, so nothing can be verified.`, {
    details: { ticketId: id },
    next: [{ tool: "forge_bind_check", input: { ticketId: id, criterion: "AC-1" }, why: "to say how it is checked" }],
  });
}

export function oneKindOfCheck(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A check needs exactly one of test, command, file, invariant and look.", {
    next: ["With command, give pattern and max or min to check a number."],
  });
}

export function unknownInvariant(name: string, known: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `The project has no invariant "${name.slice(0, 100)}".`, {
    details: { known },
    next: [...didYouMean(name, known), `Use one of: ${known.join(", ")}.`],
    quotes: "repository",
  });
}

export function notATest(given: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${given.slice(0, 100)}" does not name a test.`, {
    next: ["Give its file and its name: tests/auth.test.js::signs in."],
  });
}

export function notATestFile(file: string, runner: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${file.slice(0, 200)} is not a test file for ${runner}.`, {
    next: [
      "Name a file that the project's test command runs by itself.",
      "A script is bound as a command, and needs the trust that commands need.",
    ],
  });
}

export function notAProjectPath(given: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${given.slice(0, 100)}" is not a path in the project.`, {
    next: ["Give a path or a glob from the project's folder: docs/**/*.md."],
  });
}

export function notAPattern(given: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `/${given.slice(0, 100)}/ is not a valid pattern.`, {
    next: ["Use the syntax of RE2, which has no lookarounds and no backreferences."],
  });
}

export function figureNeedsBound(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A check of a number needs a pattern, and max or min.", {
    next: ["The pattern's first group is the number: took ([0-9.]+) ms."],
  });
}

export function notAProjectCommand(command: readonly string[]): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `"${command.join(" ").slice(0, 200)}" cannot be a check's command: only a script of package.json (npm run NAME), a make target or a file of the project can.`,
    { next: ["Put the command into one of these. You trust them by their content."] },
  );
}

export function noTeam(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "This project does not work with a team's server.", {
    next: [{ command: "login", why: "to sign in to one" }, "Without one, the policy is in the project's settings."],
  });
}

export function policyNeedsPerson(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only a person can lower what the team demands as proof.", {
    next: ["Sign in and do it on your own terminal. An API token can only raise it."],
  });
}

export function unexpectedPolicy(): ForgeError {
  return new ForgeError(
    "DEPENDENCY_ERROR",
    "The team's server is too old for proof: it does not answer with a policy.",
    {
      next: ["Ask its admin to update the server."],
    },
  );
}

export function greenNeedsPerson(): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    "Only a person can choose what a check must do on the code before the change.",
    {
      next: ["Leave it out: the check must fail without the change.", "Or ask the user, if it is a regression test."],
    },
  );
}

export function hereHasNoCommit(): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    "Checks in the project's folder run on its files as they are, not on a commit or a base.",
    {
      next: ["Leave out the commit, the base and what is expected without the change."],
    },
  );
}

export function unknownCommit(given: string): ForgeError {
  return new ForgeError("NOT_FOUND", `There is no commit "${given.slice(0, 64)}" here.`, {
    details: { commit: given },
    next: ["Fetch it, or name another one."],
  });
}

export function noCommitYet(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "There is no commit to verify.", { next: ["Make the first commit."] });
}

export function needsPerson(): ForgeError {
  return new ForgeError("PERMISSION_DENIED", "Only a person can do this, on a terminal. Nothing was changed.", {
    next: ["Run it on your own terminal: it asks there."],
  });
}

export function notConfirmed(): ForgeError {
  return new ForgeError("CANCELLED", "Nothing was changed.");
}

export function notProven(id: string, missing: readonly string[], ciOnly: boolean): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} cannot be completed: proof of its criteria is required.`, {
    details: { ticketId: id, missing },
    next: [
      ...missing.slice(0, 10),
      ciOnly
        ? "Only verifications by CI count in this team: have CI verify it."
        : { tool: "forge_verify_ticket", input: { ticketId: id }, why: "to prove them" },
      "Only a person can waive a criterion.",
    ],
  });
}

export function changedFiles(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "It changed files of the tree, so it proves nothing.", {
    next: ["Let the command only read files."],
  });
}
