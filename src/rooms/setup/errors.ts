import { ForgeError } from "../../kernel/errors.ts";
import { anyOf, didYouMean } from "../../kernel/text/closest.ts";

export function unknownClient(id: string, known: readonly string[]): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `Unknown client "${id.slice(0, 64)}". Known clients: ${known.join(", ")}.`,
    {
      details: { known },
      next: [...didYouMean(id, known), { command: "mcp", why: "as a stdio server in any other client" }],
    },
  );
}

export function scopeNotSupported(title: string, scope: string, supported: readonly string[]): ForgeError {
  const message = `${title} has no ${scope} file that Forge can set up, only: ${anyOf(supported)}.`;
  return new ForgeError("VALIDATION_ERROR", message, {
    details: { scope },
    next: ["Leave out --scope, or name the other clients with --client."],
  });
}

export function checkAlone(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--check cannot be combined with --dry-run or --remove.", {
    next: ["Use only one of them."],
  });
}

export function nothingChosen(): ForgeError {
  return new ForgeError("CANCELLED", "Nothing was set up.");
}

export function stateFolderInUse(path: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${path} is not a folder, and Forge keeps its data in a folder of that name.`, {
    details: { path },
    next: ["Rename it, then run the command again."],
  });
}

/** What failed after some files were written: which were, and which were not. */
export function partlyApplied(error: ForgeError, written: string[], notWritten: string[]): ForgeError {
  const list = (names: string[]) => names.join(", ") || "none";
  const message = `${error.message} Written before that: ${list(written)}. Not written: ${list(notWritten)}.`;
  return new ForgeError(error.code, message, {
    details: { ...error.details, written, notWritten },
    next: [...(error.next ?? []), "Run the command again to continue."],
    cause: error,
  });
}

/** A file that cannot be understood, and the line. Its content is never quoted. */
export function brokenFile(file: string, line: number, what: string, next: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file}, line ${line}: ${what}. Nothing was changed.`, {
    details: { file, line },
    next: [next],
  });
}

export function cannotChangeEntry(file: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} could not be changed without changing other parts of it.`, {
    details: { file },
    next: ["Change the entry by hand.", { command: "init --help", why: "to find the guide for each client" }],
  });
}

export function serverNameTaken(file: string, server: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${file} already has a server named "${server}" that starts another program. Nothing was changed.`,
    {
      details: { file, server },
      next: [
        "Rename that server in the file, then run the command again.",
        "Or leave this client out: name the others with --client.",
      ],
    },
  );
}

export function checksStopped(): ForgeError {
  return new ForgeError("CANCELLED", "The checks were stopped.");
}

export function wrongKind(path: string, expected: "file" | "folder"): ForgeError {
  return new ForgeError("STORE_ERROR", `${path} is not a regular ${expected}, so Forge cannot use it.`, {
    next: [`Rename it; Forge then creates its own ${expected}.`],
  });
}

export function notPublished(host: string, packageName: string): ForgeError {
  return new ForgeError("NOT_FOUND", `The package registry at ${host} has no ${packageName}.`, {
    next: ["Name the registry that you install from with --registry."],
  });
}

export function noVersion(host: string): ForgeError {
  return new ForgeError("NETWORK_ERROR", `The package registry at ${host} returned no version.`, {
    next: ["Try again later, or check the registry's address."],
  });
}
