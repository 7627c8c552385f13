import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ForgeError } from "../../kernel/errors.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { readPrivateFile, writePrivateFile } from "../../platform/files/write/private-file.ts";
import { userPath } from "../../platform/host/user-folder.ts";
import { invalidApprovalKey } from "./errors.ts";

/** Signs what a person decided, and recognises its own signatures. */
export type Stamp = {
  mark(decided: SignedFields): string;
  fits(decided: SignedFields, mark: string | null): boolean;
};

/** A file written as recently as this may be written again without its time changing. */
const settledMs = 1_000;

/** What it was about first, then everything that the decision depends on. */
type SignedFields = readonly [what: string, ...fields: (string | number)[]];

/**
 * Signs what this user decided. A SQLite file can come with a cloned repository, approvals and all, and into a PostgreSQL
 * database others can write: what is not signed with the key from the user's home counts for nothing.
 */
export class Seal {
  readonly #keyFile: string;
  /** The key and which file it is from. Reading it for each prompt took a twentieth of the prompt's time. */
  #known: { key: Buffer; from: string } | undefined;

  constructor(keyFile: string) {
    this.#keyFile = keyFile;
  }

  static ofUser(): Seal {
    return new Seal(userPath("approvals.key"));
  }

  /** For marking; creates the key the first time. */
  async toMark(): Promise<Stamp> {
    return stampOf((await this.#readKey()) ?? (await createKey(this.#keyFile)));
  }

  /** For checking marks. Creates no key: without one, this user has marked nothing. */
  async toCheck(): Promise<Stamp> {
    return stampOf((await this.#readKey()) ?? randomBytes(32));
  }

  async #readKey(): Promise<Buffer | undefined> {
    const from = describeSettled(this.#keyFile);
    if (from !== undefined && from === this.#known?.from) return this.#known.key;
    const key = await readKey(this.#keyFile);
    this.#known = key && from !== undefined ? { key, from } : undefined;
    return key;
  }
}

/** Which file it is, in a form that changes with every write; undefined where the next write might not change it. */
function describeSettled(file: string): string | undefined {
  const entry = entryAt(file);
  if (!entry || Date.now() - Math.max(entry.mtimeMs, entry.ctimeMs) < settledMs) return undefined;
  return [entry.dev, entry.ino, entry.size, entry.mtimeMs, entry.ctimeMs].join(" ");
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
