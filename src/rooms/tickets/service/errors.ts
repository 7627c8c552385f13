import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { limits } from "../model/limits.ts";
import { statuses } from "../model/status.ts";

/** What can be wrong with a project's guides, and with tickets that are imported. */

export function guideTooLong(lines: number, maxLines: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `It has ${lines} lines; the limit is ${maxLines}.`, {
    details: { lines, limit: maxLines },
  });
}

type GuideLimits = { path: string; maxLines: number; maxBytes: number };

/** A broken guide is an error: ignoring it would drop the project's rules without a word. */
export function unusableGuide({ path, maxLines, maxBytes }: GuideLimits, cause: ForgeError): ForgeError {
  return new ForgeError("CONFIG_ERROR", `The project's guide ${path} cannot be used. ${cause.message}`, {
    details: { ...cause.details, path },
    next: [
      `Make it a UTF-8 text file inside the project with at most ${maxLines} lines and ${maxBytes} bytes.`,
      "Or rename it to use Forge's own guide.",
    ],
    cause,
  });
}

export function unknownRevision(revision: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `git does not know the commit "${visible(revision.slice(0, 200))}".`, {
    details: { revision },
    next: ["Give the commit, branch or tag that work started from, such as main or HEAD~3. Nothing was changed."],
  });
}

export function invalidImportedId(id: string, source: string): ForgeError {
  return notImported(
    source,
    `the id "${visible(id.slice(0, 64))}" is not a ticket id`,
    "letters, digits, _ and - only",
  );
}

export function invalidImportedStatus(status: string, source: string): ForgeError {
  return notImported(source, `the status "${visible(status.slice(0, 64))}" is unknown`, statuses.join(", "));
}

function notImported(source: string, what: string, expected: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${visible(source)}: ${what}. None of its tickets was imported.`, {
    details: { source, expected },
    next: [`Correct it (${expected}), or leave it out.`],
  });
}

export function invalidImportedTitle(title: string, source: string): ForgeError {
  const what =
    title === "" ? "a ticket has no title" : `a title has ${title.length} characters; the limit is ${limits.title}`;
  return new ForgeError("VALIDATION_ERROR", `${visible(source)}: ${what}. None of its tickets was imported.`, {
    details: { source },
    next: ["Give it a `title` (a first line `# Title` in Markdown) and import it again."],
  });
}

export function importNeedsPerson(source: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${visible(source)}: a ticket in it is complete, and this project requires proof. None of its tickets was imported.`,
    {
      details: { source },
      next: [
        "Ask the user to import it on their own terminal; it is then marked as unproven.",
        "Or import it as READY.",
      ],
    },
  );
}
