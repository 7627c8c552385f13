import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createFileOnce, ensurePrivateFolder } from "../../platform/files.ts";
import { readPrivateFile, userPath } from "../../platform/private-file.ts";

export type Decided = { id: string; caller: string; sha256: string; expires_at: number };

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

  make(approval: Decided): string {
    if (this.#keyFile === undefined) return "";
    return createHmac("sha256", keyIn(this.#keyFile)).update(words(approval)).digest("hex");
  }

  fits(approval: Decided, seal: string | null): boolean {
    const expected = Buffer.from(this.make(approval));
    const given = Buffer.from(seal ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

function words({ id, caller, sha256, expires_at }: Decided): string {
  return JSON.stringify(["approved", id, caller, sha256, expires_at]);
}

function keyIn(file: string): string {
  const kept = readPrivateFile(file);
  if (kept !== undefined && kept.length >= 64) return kept;
  ensurePrivateFolder(userPath());
  createFileOnce(file, randomBytes(32).toString("hex"), 0o600);
  const made = readPrivateFile(file);
  if (made === undefined || made.length < 64) throw new Error(`${file} should hold a key and does not`);
  return made;
}
