import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ForgeError } from "../../kernel/errors.ts";
import { readPrivateFile, writePrivateFile } from "../../platform/files/write/private-file.ts";
import { userPath } from "../../platform/host/user-folder.ts";
import { invalidApprovalKey } from "./errors.ts";

/** Signs what a person decided, and recognises its own signatures. */
export type Stamp = {
  mark(decided: SignedFields): string;
  fits(decided: SignedFields, mark: string | null): boolean;
};

/** What it was about first, then everything that the decision depends on. */
type SignedFields = readonly [what: string, ...fields: (string | number)[]];

/**
 * Signs what this user decided. A SQLite file can come with a cloned repository, approvals and all, and into a PostgreSQL
 * database others can write: what is not signed with the key from the user's home counts for nothing.
 */
export class Seal {
  readonly #keyFile: string;

  constructor(keyFile: string) {
    this.#keyFile = keyFile;
  }

  static ofUser(): Seal {
    return new Seal(userPath("approvals.key"));
  }

  /** For marking; creates the key the first time. */
  async toMark(): Promise<Stamp> {
    return stampOf((await readKey(this.#keyFile)) ?? (await createKey(this.#keyFile)));
  }

  /** For checking marks. Creates no key: without one, this user has marked nothing. */
  async toCheck(): Promise<Stamp> {
    return stampOf((await readKey(this.#keyFile)) ?? randomBytes(32));
  }
}

function stampOf(key: Buffer): Stamp {
  const mark = (decided: SignedFields) => createHmac("sha256", key).update(JSON.stringify(decided)).digest("hex");
  return {
    mark,
    fits(decided, given) {
      const [expected, found] = [Buffer.from(mark(decided)), Buffer.from(given ?? "")];
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const key = await readPrivateFile(file);
  if (key !== undefined && !/^[0-9a-f]{64}$/.test(key.toString("latin1"))) throw invalidApprovalKey(file);
  return key;
}

/** Of several processes that make one at once, one wins; all use that one. */
async function createKey(file: string): Promise<Buffer> {
  try {
    await writePrivateFile(file, randomBytes(32).toString("hex"), { mustBeNew: true });
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "CONFLICT_ERROR") throw error;
  }
  const key = await readKey(file);
  if (!key) throw invalidApprovalKey(file);
  return key;
}
