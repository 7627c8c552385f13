import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ForgeError } from "../../kernel/errors.ts";
import { readPrivateFile, writePrivateFile } from "../../platform/files/write/private-file.ts";
import { userPath } from "../../platform/host/user-folder.ts";

/** What a person decided on, with the words it was shown to them in. */
type Decided = {
  id: string;
  caller: string;
  sha256: string;
  summary: string;
  touches: string;
  expires_at: number;
};

/** Marks approvals and knows its own marks again, without waiting for anything. */
type Stamp = {
  mark(approval: Decided): string;
  fits(approval: Decided, mark: string | null): boolean;
};

/**
 * Marks a person's approval as made by this user. A SQLite file can come with a cloned repository, approvals and all; a
 * team's PostgreSQL cannot, and its users have no key in common, so there nothing is marked.
 */
export class Seal {
  readonly #keyFile: string | undefined;

  constructor(keyFile: string | undefined) {
    this.#keyFile = keyFile;
  }

  static ofUser(): Seal {
    return new Seal(userPath("approvals.key"));
  }

  /** To mark with; the first time, this makes the key. */
  async toMark(): Promise<Stamp> {
    return this.#keyFile === undefined
      ? unmarked
      : stampOf((await keyIn(this.#keyFile)) ?? (await newKey(this.#keyFile)));
  }

  /** To look at marks with. Makes no key: where there is none, this user has marked nothing. */
  async toCheck(): Promise<Stamp> {
    return this.#keyFile === undefined ? unmarked : stampOf((await keyIn(this.#keyFile)) ?? randomBytes(32));
  }
}

const unmarked: Stamp = { mark: () => "", fits: (_approval, mark) => (mark ?? "") === "" };

function stampOf(key: Buffer): Stamp {
  const mark = (approval: Decided) => createHmac("sha256", key).update(words(approval)).digest("hex");
  return {
    mark,
    fits(approval, given) {
      const [expected, found] = [Buffer.from(mark(approval)), Buffer.from(given ?? "")];
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}

function words({ id, caller, sha256, summary, touches, expires_at }: Decided): string {
  return JSON.stringify(["approved", id, caller, sha256, summary, touches, expires_at]);
}

async function keyIn(file: string): Promise<Buffer | undefined> {
  const key = await readPrivateFile(file);
  if (key !== undefined && !/^[0-9a-f]{64}$/.test(key.toString("latin1"))) throw noKey(file);
  return key;
}

/** Of several processes that make one at once, one wins; all use that one. */
async function newKey(file: string): Promise<Buffer> {
  try {
    await writePrivateFile(file, randomBytes(32).toString("hex"), { mustBeNew: true });
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "CONFLICT_ERROR") throw error;
  }
  const key = await keyIn(file);
  if (!key) throw noKey(file);
  return key;
}

function noKey(file: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} should hold the key that marks your approvals, and does not.`, {
    details: { file },
    next: [
      "Move the file away; Forge makes a new key with the next approval. What was approved and not yet used must then be approved again.",
    ],
  });
}
