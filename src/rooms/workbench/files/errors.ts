import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { showPath } from "../../../platform/files/root/relative-path.ts";

const listFolder = { tool: "forge_list_files", input: { path: "FOLDER" }, why: "to see which files exist" };

export function folderPath(given: string, isRoot: boolean): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${showPath(given)} is a folder; a file is expected.`, {
    details: { path: given },
    next: [isRoot ? "Name a file, such as src/main.ts." : "Remove the slash at the end, or name a file in the folder."],
  });
}

export function missingPath(path: string): ForgeError {
  return new ForgeError("NOT_FOUND", `${showPath(path)} does not exist.`, { details: { path }, next: [listFolder] });
}

export function missingFile(path: string): ForgeError {
  return new ForgeError("NOT_FOUND", `${showPath(path)} does not exist.`, {
    details: { path },
    next: [listFolder, { tool: "forge_write_file", input: { file_path: path, content: "TEXT" }, why: "to create it" }],
  });
}

export function missingFileNotCreated(path: string): ForgeError {
  return new ForgeError("NOT_FOUND", `${showPath(path)} does not exist, and create_if_not_exists is false.`, {
    details: { path },
    next: ["Leave out create_if_not_exists to create the file.", listFolder],
  });
}

export function tooManyFiles(max: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `There are more than ${max} files.`, {
    next: ["Give a folder as `path`, and leave out include_ignored."],
  });
}

export function gitListFailed(stderr: string): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `git ls-files failed: ${stderr.slice(0, 300).trim()}`, {
    next: ["Run `git status` in the project and fix what it reports."],
  });
}

export function invalidGlob(pattern: string, problem: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `The pattern ${visible(JSON.stringify(pattern.slice(0, 200)))} ${problem}.`,
    { next: ["Use a pattern such as src/**/*.ts or *.{js,ts}."] },
  );
}

export function invalidExpression(reason: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The regular expression is not valid: ${visible(reason)}.`, {
    next: [
      "Use RE2 syntax: look-around and back-references are not supported.",
      "Leave out `regex` to search for the text itself.",
    ],
  });
}

export function costlyExpression(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The regular expression repeats too much to search with it.", {
    next: ["Use smaller numbers in { }, or * and +."],
  });
}

export function multilineQuery(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The query contains a line break; a match is within one line.", {
    next: ["Search for one of the lines; context_lines shows those around it."],
  });
}

export function secretInBinary(path: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${showPath(path)} contains what looks like a secret.`, {
    details: { path },
    next: ['Read it with encoding "utf8"; the secret is then left out.'],
  });
}

/** `cause`: why the bytes are not text. */
export function notText(cause: ForgeError, maxBytes: number): ForgeError {
  return new ForgeError(cause.code, cause.message, {
    details: { ...cause.details },
    next: [`Read and write it with encoding "base64" (up to ${maxBytes} bytes).`],
  });
}

export function startBeyondEnd(path: string, from: number, totalLines: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${showPath(path)} has ${totalLines} lines; start_line is ${from}.`, {
    details: { path, total_lines: totalLines },
    next: [`Use a start_line of at most ${totalLines}, or leave it out.`],
  });
}

export function endBeforeStart({ from, to }: { from: number; to: number }): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `end_line (${to}) is before start_line (${from}).`, {
    next: ["Use an end_line that is not smaller than start_line."],
  });
}

export function linesOfBinary(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A file read as base64 has no lines.", {
    next: ["Leave out start_line and end_line, or the encoding."],
  });
}

export function invalidBase64(path: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The content for ${showPath(path)} is not valid base64.`, {
    details: { path },
    next: ["Encode it again, or send it as utf8."],
  });
}

export function loneSurrogate(path: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `The text for ${showPath(path)} contains half a character (a lone surrogate). Nothing was written.`,
    { details: { path }, next: ["Send complete characters."] },
  );
}

/** What stands for a secret in what was read must not replace the secret. */
export function redactedContent(path: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `The content for ${showPath(path)} contains "[redacted …]", in place of a secret that was not shown. Writing it would delete the secret.`,
    {
      details: { path },
      next: [
        { tool: "forge_edit_file", input: editInput(path), why: "to change the other lines; the secret then stays" },
      ],
    },
  );
}

export function foreignChanges(path: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${showPath(path)} has uncommitted changes that were not made through Forge's tools. Replacing the file could delete someone's work, so nothing was written.`,
    {
      details: { path },
      next: [
        { tool: "forge_edit_file", input: editInput(path), why: "to change only what is needed" },
        "If the changes are yours, or are part of the new content, read the file and pass its hash as `expected_sha256`.",
      ],
    },
  );
}

/** A dependency that is changed by hand would run as if its author had written it. */
export function dependencyFile(path: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${showPath(path)} belongs to the project's dependencies, which are not edited by hand.`,
    {
      details: { path },
      next: ["Change the requirement (package.json, requirements.txt) and run the package manager."],
    },
  );
}

export type EditPosition = { path: string; index: number; total: number };

function failedEdit(
  { path, index, total }: EditPosition,
  problem: string,
  details: Record<string, unknown>,
  next: string[],
): ForgeError {
  const which = total === 1 ? "The edit" : `Edit ${index + 1} of ${total}`;
  return new ForgeError("VALIDATION_ERROR", `${which} of ${showPath(path)} ${problem}. Nothing was changed.`, {
    details: { path, edit: index, ...details },
    next,
  });
}

export function editWithoutEffect(position: EditPosition): ForgeError {
  return failedEdit(position, "changes nothing: old_text and new_text are the same", {}, [
    "Leave out this edit, or change new_text.",
  ]);
}

export function editTooLong(position: EditPosition, max: number): ForgeError {
  return failedEdit(position, `makes the file longer than ${max} characters`, {}, ["Replace less at once."]);
}

export function editReveals(position: EditPosition): ForgeError {
  return failedEdit(position, "would show what looks like a secret in the file", {}, [
    "Leave the text right beside the secret as it is.",
  ]);
}

export function editNotFound(position: EditPosition, nearest: { line: number; text: string } | undefined): ForgeError {
  const hint = nearest ? `; the nearest line is ${nearest.line}: ${JSON.stringify(nearest.text)}` : "";
  return failedEdit(
    position,
    `failed: old_text was not found${hint}`,
    { found: 0, ...(nearest && { nearest_line: nearest.line }) },
    ["Read the file again and copy old_text exactly, including spaces. Edits are applied in order."],
  );
}

export function editAmbiguous(position: EditPosition, found: number, lines: readonly number[]): ForgeError {
  const more = found > lines.length ? " and others" : "";
  return failedEdit(
    position,
    `failed: old_text was found ${found} times, in lines ${lines.join(", ")}${more}; it must be there once`,
    { found, lines },
    ["Add surrounding lines to old_text until it is unique, or set replace_all."],
  );
}

function editInput(path: string) {
  return { file_path: path, edits: [{ old_text: "TEXT", new_text: "TEXT" }] };
}
