import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { dirname } from "node:path";
import { readPrivateFile } from "../../platform/files/private-file.ts";
import { createFileOnce, ensurePrivateFolder } from "../../platform/files.ts";
import { userPath } from "../../platform/user-folder.ts";

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

  async make(approval: Decided): Promise<string> {
    if (this.#keyFile === undefined) return "";
    return createHmac("sha256", await keyIn(this.#keyFile))
      .update(words(approval))
      .digest("hex");
  }

  async fits(approval: Decided, seal: string | null): Promise<boolean> {
    const expected = Buffer.from(await this.make(approval));
    const given = Buffer.from(seal ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

function words({ id, caller, sha256, expires_at }: Decided): string {
  return JSON.stringify(["approved", id, caller, sha256, expires_at]);
}

async function keyIn(file: string): Promise<Buffer> {
  ensurePrivateFolder(dirname(file));
  createFileOnce(file, randomBytes(32).toString("hex"), 0o600);
  const key = await readPrivateFile(file);
  if (key === undefined || key.length < 64) throw new Error(`${file} should hold a key and does not`);
  return key;
}
