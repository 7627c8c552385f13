import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ForgeError } from "../../kernel/errors.ts";
import { readPrivateFile, writePrivateFile } from "../../platform/files/write/private-file.ts";
import { userPath } from "../../platform/host/user-folder.ts";
import { invalidApprovalKey } from "./errors.ts";

/** What a person decided on, with the text that was shown to them. */
type DecidedApproval = {
  id: string;
  caller: string;
  sha256: string;
  summary: string;
  touches: string;
  expires_at: number;
};

/** Marks approvals and recognises its own marks. */
type Stamp = {
  mark(approval: DecidedApproval): string;
  fits(approval: DecidedApproval, mark: string | null): boolean;
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

  /** For marking; creates the key the first time. */
  async toMark(): Promise<Stamp> {
    return this.#keyFile === undefined
      ? noStamp
      : stampOf((await readKey(this.#keyFile)) ?? (await createKey(this.#keyFile)));
  }

  /** For checking marks. Creates no key: without one, this user has marked nothing. */
  async toCheck(): Promise<Stamp> {
    return this.#keyFile === undefined ? noStamp : stampOf((await readKey(this.#keyFile)) ?? randomBytes(32));
  }
}

const noStamp: Stamp = { mark: () => "", fits: (_approval, mark) => (mark ?? "") === "" };

function stampOf(key: Buffer): Stamp {
  const mark = (approval: DecidedApproval) => createHmac("sha256", key).update(signedText(approval)).digest("hex");
  return {
    mark,
    fits(approval, given) {
      const [expected, found] = [Buffer.from(mark(approval)), Buffer.from(given ?? "")];
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}

function signedText({ id, caller, sha256, summary, touches, expires_at }: DecidedApproval): string {
  return JSON.stringify(["approved", id, caller, sha256, summary, touches, expires_at]);
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
