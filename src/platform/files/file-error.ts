import { type ErrorCode, ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../host/error-code.ts";
import { showPath } from "./root/relative-path.ts";

type Explanation = { code: ErrorCode; text: string; next: string };

const lookAgain = "List the folder above it to see what is there.";
const makeRoom = "Free some space, then try again. What was there before is unchanged.";
const later = "Try again in a moment.";
const askForRight = "Give the user who runs Forge access to it, or use another place.";

/** The system's error codes in words. */
const explanations: Record<string, Explanation> = {
  ENOENT: { code: "NOT_FOUND", text: "does not exist", next: lookAgain },
  ENOTDIR: { code: "VALIDATION_ERROR", text: "leads through something that is not a folder", next: lookAgain },
  EISDIR: { code: "VALIDATION_ERROR", text: "is a folder, but a file was expected", next: lookAgain },
  ENAMETOOLONG: { code: "VALIDATION_ERROR", text: "is too long for this file system", next: "Use shorter names." },
  EINVAL: {
    code: "VALIDATION_ERROR",
    text: "has a name that this file system does not allow",
    next: "Use another name.",
  },
  ELOOP: {
    code: "PERMISSION_DENIED",
    text: "is a symbolic link, or a loop of them",
    next: "Use the path of the real file.",
  },
  ENXIO: { code: "VALIDATION_ERROR", text: "is not a regular file", next: lookAgain },
  EEXIST: { code: "CONFLICT_ERROR", text: "already exists", next: "Read it first, or choose another name." },
  EACCES: { code: "PERMISSION_DENIED", text: "is not accessible to this user", next: askForRight },
  EPERM: { code: "PERMISSION_DENIED", text: "is not accessible to this user", next: askForRight },
  EROFS: { code: "PERMISSION_DENIED", text: "is on a read-only file system", next: askForRight },
  ENOSPC: { code: "STORE_ERROR", text: "could not be written: the disk is full", next: makeRoom },
  EDQUOT: {
    code: "STORE_ERROR",
    text: "could not be written: this user's disk quota is used up",
    next: makeRoom,
  },
  EFBIG: {
    code: "STORE_ERROR",
    text: "could not be written: it is too large for this file system",
    next: "Write less.",
  },
  EMFILE: { code: "STORE_ERROR", text: "could not be opened: too many files are open", next: later },
  ENFILE: { code: "STORE_ERROR", text: "could not be opened: too many files are open", next: later },
  EBUSY: { code: "STORE_ERROR", text: "is in use by another program", next: later },
  EIO: {
    code: "STORE_ERROR",
    text: "could not be read or written: the disk reports an error",
    next: "Check the disk.",
  },
};

/**
 * What the system said about a path, as an error that callers may read. Only the path they gave is named: the system's own
 * message would show where on this machine the project is.
 */
export function fileError(error: unknown, path: string): unknown {
  const reason = errorCode(error);
  if (error instanceof ForgeError || reason === undefined) return error;
  const { code, text, next }: Explanation = explanations[reason] ?? {
    code: "STORE_ERROR",
    text: `could not be used (${reason})`,
    next: later,
  };
  return new ForgeError(code, `${showPath(path)} ${text}.`, {
    details: { path, reason },
    next: [next],
    cause: error,
  });
}

/** Runs work on one path; system errors come out as errors that callers may read. */
export async function explainErrors<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(error, path);
  }
}

/** An error in the system's own form, where we find out ourselves what it would have said. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
