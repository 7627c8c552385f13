import { basename, dirname } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";

/** A database file that is not what Forge wrote. Becomes an error for people once a copy of it is kept. */
export class Damage extends Error {
  /** More than is said of every damage. */
  readonly advice: readonly string[];

  constructor(what: string, advice: readonly string[] = [], cause?: unknown) {
    super(what, { cause });
    this.advice = advice;
  }
}

const checkWithDoctor = { command: "doctor", why: "in the project's folder, to check the file and list its copies" };
const moveAway =
  "Or move the file (and the files beside it that end in -wal and -shm) to another folder. Forge then creates a new, empty database.";

/** `inUse` where the store is open and works apart from what is damaged. */
export async function damageError(damage: Damage, file: string, { inUse }: { inUse: boolean }): Promise<ForgeError> {
  const { keepCopy } = await import("./quarantine.ts");
  const kept = await keepCopy(file, { inUse });
  const copied = "copy" in kept ? `A copy is kept at ${kept.copy}` : `A copy could not be made: ${kept.why}`;
  return new ForgeError(
    "STORE_ERROR",
    `The database is damaged: ${damage.message}. Nothing was changed or reset: ${file}. ${copied}.`,
    {
      details: { file, ...kept },
      next: [
        ...damage.advice,
        "If you have a backup of the file, restore it, and move the -wal and -shm files beside it away.",
        ...(isOfProject(file) ? [checkWithDoctor] : []),
        moveAway,
      ],
      cause: damage.cause,
    },
  );
}

/** The team server's database is in a folder of its own, where there is no project to examine. */
function isOfProject(file: string): boolean {
  return basename(dirname(file)) === ".forge";
}
