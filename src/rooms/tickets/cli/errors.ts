import { ForgeError } from "../../../kernel/errors.ts";
import { anyOf } from "../../../kernel/text/closest.ts";
import { fileActions, type TicketFormat } from "../model/limits.ts";

/** What can be wrong with a command line about tickets, and with where the command runs. */

export function titleRequired(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A ticket needs a title.", {
    next: [{ command: "create TITLE", why: "with a title, or on a terminal to be asked for one" }],
  });
}

export function createCancelled(): ForgeError {
  return new ForgeError("CANCELLED", "Cancelled. No ticket was created.");
}

export function unknownFileAction(prefix: string, word: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `--file cannot start with "${prefix.slice(0, 64)}:"; the action is ${anyOf(fileActions)}.`,
    { next: [`If that is part of the path, write \`--file modify:${word.slice(0, 64)}\`.`] },
  );
}

export function assigneeOrNone(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A name and --none contradict each other.", {
    next: ["Give one of them."],
  });
}

export function nothingAsked(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--blocking and --category describe a new question, and none is asked.", {
    next: ["Give the question with --ask."],
  });
}

export function noTerminalToAsk(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "There is no terminal to ask on.", {
    next: [{ command: `questions ${id.slice(0, 64)} --answer Q-1=TEXT`, why: "to answer a question" }],
  });
}

export function idsOrAll(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Ids and --all contradict each other.", { next: ["Give one of them."] });
}

export function nothingToExport(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "No ticket to export was given.", {
    next: ["Give one or more ids, or --all.", { command: "list", why: "to see all tickets" }],
  });
}

export function folderRequired(format: TicketFormat): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Several tickets as ${format} need one file each.`, {
    next: ["Name a folder with --output, or use --format json for one array."],
  });
}

export function fileExists(file: string, cause: ForgeError): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${file} already exists.`, {
    details: { file },
    next: ["Give another name, or --force to replace it."],
    cause,
  });
}

export function exportStopped(): ForgeError {
  return new ForgeError("CANCELLED", "The export was stopped. No file was written.");
}

export function importStopped(source: string): ForgeError {
  return new ForgeError("CANCELLED", `The import of ${source} was stopped.`);
}

export function standardInputTwice(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Standard input can be read only once.", { next: ["Give - once."] });
}

/** The same error with the part of the file that it is about; the parts before it are imported. */
export function importFailedAt(error: ForgeError, source: string, part: string | undefined): ForgeError {
  return new ForgeError(error.code, error.message.includes(source) ? error.message : `${source}: ${error.message}`, {
    details: { ...error.details, ...(part !== undefined && { part }) },
    ...(error.next && { next: error.next }),
    cause: error,
  });
}

/** The same error with what was imported before it. */
export function importFailed(error: ForgeError, file: string, imported: { count: number; text: string }): ForgeError {
  return new ForgeError(error.code, error.message, {
    details: { ...error.details, file, imported: imported.count },
    next: [...(imported.count === 0 ? [] : alreadyImported(error, imported.text)), ...(error.next ?? [])],
    cause: error,
  });
}

function alreadyImported({ details }: ForgeError, imported: string): string[] {
  const part = details?.["part"];
  const rest = typeof part === "string" ? ` Not imported: ${part}, and all tickets after that.` : "";
  return [
    `Already imported, and kept: ${imported}.${rest}`,
    "To import the same files again, use --on-existing skip; tickets without an id would be added twice.",
  ];
}

export function noEditor(id: string, revision: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "There is no terminal here to open an editor on.", {
    next: [
      { command: `export ${id} --format markdown --output FILE`, why: "to write it to a file" },
      { command: `edit ${id} --text FILE --revision ${revision}`, why: "to save your changes" },
    ],
  });
}

export function textNeedsRevision(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--text and --revision belong together.", {
    next: [
      { command: `show ${id.slice(0, 64)} --json`, why: "to see its revision" },
      { command: `edit ${id.slice(0, 64)} --text FILE --revision N`, why: "to save the text" },
    ],
  });
}

/** Someone else changed the ticket: the text is saved only after a person has looked at both. */
export function asTextConflict(error: unknown, id: string, file: string): unknown {
  const current = error instanceof ForgeError ? error.details?.["currentRevision"] : undefined;
  if (!(error instanceof ForgeError) || typeof current !== "number") return error;
  return new ForgeError(error.code, error.message, {
    ...(error.details && { details: error.details }),
    next: [
      { command: `show ${id} --history`, why: "to see what changed" },
      {
        command: `edit ${id} --text ${file} --revision ${current}`,
        why: "when the text has everything that is to stay: it replaces the ticket",
      },
    ],
    cause: error,
  });
}

export function unknownAssistant(program: string, known: readonly string[]): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `--launch does not know the assistant ${program.slice(0, 64)}.`, {
    next: [`Use ${anyOf(known)}. To use another one, leave out --launch and connect it yourself.`],
  });
}

export function noTerminalToLaunch(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--launch starts an assistant on your terminal, and there is none here.", {
    next: ["Leave out --launch to serve the assistant on this pipe."],
  });
}

export function assistantNotStarted(program: string, connect: readonly string[], cause: ForgeError): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `${program} could not be started: it is not installed, or not on PATH.`, {
    ...(cause.details && { details: cause.details }),
    next: connect,
    cause,
  });
}
