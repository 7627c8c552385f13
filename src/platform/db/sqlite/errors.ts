import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { Damage, damageError } from "./damage.ts";

/** SQLite's primary result codes that have a meaning for the user. */
const codes = {
  perm: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};

/** One driver leaves the code out of errors that come while rows are read. SQLite's own words have not changed in decades. */
const wordsOfCodes: [RegExp, number][] = [
  [/^database (table )?is locked/, codes.busy],
  [/^attempt to write a readonly database/, codes.readOnly],
  [/^disk I\/O error/, codes.io],
  [/^database disk image is malformed/, codes.corrupt],
  [/^database or disk is full/, codes.full],
  [/^unable to open database file/, codes.cannotOpen],
  [/^file is not a database/, codes.notADatabase],
];

/** SQLite's result code without its extension; undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if (errorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  return wordsOfCodes.find(([words]) => words.test(error.message))?.[1];
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === codes.busy || code === codes.locked;
}

/**
 * What a user can do something about becomes a STORE_ERROR; anything else is returned as it is. A damaged file is copied
 * first; `inUse` says that the store is open and works apart from what is damaged.
 */
export async function explainSqlite(error: unknown, file: string, { inUse }: { inUse: boolean }): Promise<unknown> {
  const damage = damageIn(error);
  if (damage) return await damageError(damage, file, { inUse });
  const words = wordsFor(sqliteCode(error), errorCode(error));
  return words ? storeError(words, file, error) : error;
}

function damageIn(error: unknown): Damage | undefined {
  if (error instanceof Damage) return error;
  const code = sqliteCode(error);
  if (code === codes.notADatabase) return new Damage("it does not start like an SQLite database", [], error);
  if (code === codes.corrupt) return new Damage("part of it is missing or was overwritten", [], error);
  return undefined;
}

type Words = [message: string, ...next: string[]];

function storeError([message, ...next]: Words, file: string, cause?: unknown): ForgeError {
  return new ForgeError("STORE_ERROR", `${message}: ${file}`, { details: { file }, next, cause });
}

function wordsFor(code: number | undefined, system: string | undefined): Words | undefined {
  if (code === codes.busy || code === codes.locked) {
    return [
      "The database was in use by another process, and the change was not made",
      "Try again. If the problem persists, look for a program that has the file open.",
    ];
  }
  if (code === codes.full || system === "ENOSPC" || system === "EDQUOT") {
    return ["The disk is full, and the change was not made", "Free some space on the disk, then try again."];
  }
  if (code === codes.readOnly || code === codes.perm || isDenied(system)) {
    return [
      "The database cannot be written by this user",
      "Give your user write access to the folder and the file, or run Forge as the user who owns them.",
    ];
  }
  if (code === codes.cannotOpen || system === "ENOENT" || system === "ENOTDIR") {
    return [
      "The database cannot be opened",
      "Check that the folder exists, that your user can write to it, and that the path is a file.",
    ];
  }
  if (system === "EMFILE" || system === "ENFILE") {
    return ["The database cannot be opened, because too many files are open", "Try again in a moment."];
  }
  if (code === codes.io || system === "EIO") {
    return [
      "The disk reported an error, and the change was not made",
      "Check the disk and its free space, then try again.",
    ];
  }
  return undefined;
}

function isDenied(system: string | undefined): boolean {
  return system === "EACCES" || system === "EPERM" || system === "EROFS";
}
