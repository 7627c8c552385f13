import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { listFolder } from "../../../platform/files/root/list-folder.ts";
import { readPrivateFile, writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { userPath } from "../../../platform/host/user-folder.ts";
import { keyIdOf, readPublicKey } from "./dsse.ts";

const maxKeys = 1_000;

/** The user's own key for receipts, and the keys of others that they trust: in `~/.forge/keys`, never in a repository. */
export class ReceiptKeys {
  readonly #folder: string;

  constructor(folder = userPath("keys")) {
    this.#folder = folder;
  }

  /** The user's own key; made when it is first needed. */
  async own(): Promise<KeyObject> {
    const file = `${this.#folder}/receipt.pem`;
    const known = await readPrivateFile(file);
    if (known) return createPrivateKey(known);
    const { privateKey } = generateKeyPairSync("ed25519");
    try {
      const pem = privateKey.export({ type: "pkcs8", format: "pem" });
      await writePrivateFile(file, pem, { mustBeNew: true });
      return privateKey;
    } catch (error) {
      // Another process has just made it.
      const made =
        error instanceof ForgeError && error.code === "CONFLICT_ERROR" ? await readPrivateFile(file) : undefined;
      if (made) return createPrivateKey(made);
      throw error;
    }
  }

  /** All keys whose signatures count. */
  async readTrusted(): Promise<KeyObject[]> {
    const folder = `${this.#folder}/trusted`;
    const names = entryAt(folder)?.isDirectory() ? listFolder(folder, maxKeys).entries.map(({ name }) => name) : [];
    const keys: KeyObject[] = [];
    const own = await readPrivateFile(`${this.#folder}/receipt.pem`);
    if (own) keys.push(createPublicKeyOf(own));
    for (const name of names.filter((one) => one.endsWith(".pem"))) {
      const key = readPublicKey((await readPrivateFile(`${folder}/${name}`))?.toString() ?? "");
      if (key) keys.push(key);
    }
    return keys;
  }

  /** `team`: the one for which the key signs, if it is a server's; it may be one of several. */
  async trust(key: KeyObject, team?: string): Promise<string> {
    const id = keyIdOf(key);
    const pem = key.export({ type: "spki", format: "pem" });
    const teams = new Set([...(await this.teamsOf(id)), ...(team === undefined ? [] : [team])]);
    if (teams.size > 0) await writePrivateFile(this.#teamsFile(id), JSON.stringify([...teams]));
    await writePrivateFile(`${this.#folder}/trusted/${id}.pem`, pem);
    return id;
  }

  /** The teams that a key was trusted for; none for a person's. */
  async teamsOf(id: string): Promise<string[]> {
    const text = (await readPrivateFile(this.#teamsFile(id)))?.toString();
    return text === undefined ? [] : z.array(z.string()).parse(JSON.parse(text));
  }

  #teamsFile(id: string): string {
    return `${this.#folder}/trusted/${id}.teams.json`;
  }
}

function createPublicKeyOf(privatePem: Buffer): KeyObject {
  const key = readPublicKey(privatePem.toString());
  if (!key) throw new Error("the user's own key is not an ed25519 key");
  return key;
}
