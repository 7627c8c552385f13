import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { entryAt } from "../files/entry-at.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../files/write/private-file.ts";
import { errorCode } from "../host/error-code.ts";
import { userPath } from "../host/user-folder.ts";
import { type Keyring, systemKeyring } from "./keyring.ts";
import { originOf } from "./origin.ts";
import { fileNameOf, originOfFileName, parseRecord, type SecretRecord } from "./secret-record.ts";

export type SecretPlace = "keyring" | "file";

export type SecretsOptions = {
  /** Taught every token that passes through here, so that none gets out. */
  redactor: Redactor;
  /** Takes word of what a person should know. */
  warn(message: string): void;
  /** Default: `~/.forge/secrets`. */
  folder?: string;
  /** Default: the system's; `none` keeps everything in files. */
  keyring?: Keyring | "none";
};

/**
 * Tokens for servers, each bound to its server's origin: asked for another origin, it is not there. Kept in the system's
 * keyring, or where there is none in files that only their owner may read. No token comes from a project's files.
 */
export class Secrets {
  readonly #redactor: Redactor;
  readonly #warn: (message: string) => void;
  readonly #folder: string;
  readonly #keyring: Keyring | "none";

  constructor({ redactor, warn, folder = userPath("secrets"), keyring = systemKeyring }: SecretsOptions) {
    this.#redactor = redactor;
    this.#warn = warn;
    this.#folder = folder;
    this.#keyring = keyring;
  }

  /** The token for an address's origin, and where it was. */
  async get(address: string | URL): Promise<{ token: string; where: SecretPlace } | undefined> {
    const origin = originOf(address);
    const record = await this.#record(origin);
    if (!record) return undefined;
    const token = record.where === "file" ? record.token : await this.#fromKeyring(origin);
    if (token === undefined) return undefined;
    this.#redactor.learn(token);
    return { token, where: record.where };
  }

  /** Keeps a token in place of an older one; says where. Cut off on the way, the older one is still there. */
  async set(address: string | URL, token: string): Promise<{ where: SecretPlace }> {
    const origin = originOf(address);
    this.#redactor.learn(token);
    requireToken(token);
    const where = await this.#offerToKeyring(origin, token);
    await this.#write(where === "keyring" ? { origin, where } : { origin, where, token });
    return { where };
  }

  /** Forgets the token; false where there was none. */
  async remove(address: string | URL): Promise<boolean> {
    const origin = originOf(address);
    const path = this.#pathOf(origin);
    if (!entryAt(path)) return false;
    const record = await this.#record(origin).catch(() => undefined);
    if (record?.where === "keyring") await this.#reach(origin, (keyring) => keyring.remove(origin));
    return await removePrivateFile(path);
  }

  /** The origins that have a token; never the tokens. */
  list(): string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => originOfFileName(name) ?? []);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  #pathOf(origin: string): string {
    return join(this.#folder, fileNameOf(origin));
  }

  async #record(origin: string): Promise<SecretRecord | undefined> {
    const path = this.#pathOf(origin);
    const entry = entryAt(path);
    const text = entry && (await readPrivateFile(path));
    if (!text) return undefined;
    if (process.platform !== "win32" && (entry.mode & 0o077) !== 0)
      this.#warn(
        `${path} was readable by other users of this machine; its permissions are now 0600. Create a new token for ${origin}.`,
      );
    return parseRecord(text.toString(), path, origin);
  }

  async #write(record: SecretRecord): Promise<void> {
    await writePrivateFile(this.#pathOf(record.origin), `${JSON.stringify(record)}\n`);
  }

  async #offerToKeyring(origin: string, token: string): Promise<SecretPlace> {
    if (this.#keyring === "none") return "file";
    try {
      await this.#keyring.set(origin, token);
      return "keyring";
    } catch {
      return "file";
    }
  }

  #fromKeyring(origin: string): Promise<string | undefined> {
    return this.#reach(origin, (keyring) => keyring.get(origin));
  }

  async #reach<T>(origin: string, use: (keyring: Keyring) => Promise<T>): Promise<T> {
    try {
      if (this.#keyring === "none") throw new Error("it is switched off");
      return await use(this.#keyring);
    } catch (error) {
      throw new ForgeError(
        "AUTH_REQUIRED",
        `The token for ${origin} is in the system's keyring, which is not available.`,
        {
          details: { origin },
          next: ["Unlock the keyring and try again.", `Or sign in to ${origin} again.`],
          cause: error,
        },
      );
    }
  }
}

/** What can stand in a header, and is long enough to be told from ordinary words where it must be taken out of a text. */
function requireToken(token: string): void {
  if (/^[\u0021-\u007e]{8,8192}$/.test(token)) return;
  throw new ForgeError("VALIDATION_ERROR", "This is not a token. Expected 8 to 8192 visible ASCII characters.", {
    details: { length: token.length },
    next: ["Copy the token again, without spaces or line breaks."],
  });
}
