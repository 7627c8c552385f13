import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { wrongKind } from "../../state/state-folder.ts";

const { O_RDONLY } = constants;
/** Windows knows none of these. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 }: Partial<typeof constants> = constants;

/** What each SQLite journal starts with; at the end of one it means that the name of a super-journal comes before it. */
const magic = Buffer.from("d9d505f920a163d7", "hex");
/** SQLite looks for the name of a super-journal only in files of at least this size. */
const minSize = 16;

/**
 * SQLite deletes the file that a left-over journal names as its super-journal, wherever it is: a cloned repository could have
 * any file of the user deleted. Forge writes no such journals, for it never changes two databases in one transaction.
 */
export function refuseSuperJournal(journal: string): void {
  if (tailOf(journal, magic.length)?.equals(magic)) throw superJournal(journal);
}

/**
 * The last bytes of a plain file; undefined where there is none, and for a file that is too small to name a super-journal.
 * Another process may be writing a small one right now, and its first bytes are not to be taken for its last.
 */
function tailOf(path: string, length: number): Buffer | undefined {
  const descriptor = openPlainly(path);
  if (descriptor === undefined) return undefined;
  try {
    const entry = fstatSync(descriptor);
    if (!entry.isFile()) throw wrongKind(path, "file");
    if (entry.size < minSize) return undefined;
    const tail = Buffer.alloc(length);
    const read = readSync(descriptor, tail, 0, length, entry.size - length);
    return tail.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
}

function openPlainly(path: string): number | undefined {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function superJournal(journal: string): ForgeError {
  return new ForgeError(
    "STORE_ERROR",
    `${journal} would make SQLite delete another file when the database is opened. Forge does not write such journals. Nothing was changed.`,
    {
      details: { file: journal },
      next: [
        `Move ${basename(journal)} to another folder, and find out where it came from: a repository should not contain one.`,
      ],
    },
  );
}
