import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Database } from "../../../platform/db/database.ts";
import { serverSecretMissing } from "../receipt/errors.ts";
import type { ProofTables } from "./schema.ts";

const onlyId = 1;
const encrypted = "ENCRYPTED PRIVATE KEY";

/** The key that a server signs receipts with. It is in the database, so that all servers on one database have the same. */
export class ServerKey {
  readonly #database: Database<ProofTables>;
  readonly #secret: string | undefined;
  #known: KeyObject | undefined;

  constructor(database: Database<unknown>, secret: string | undefined) {
    this.#database = database.forTables<ProofTables>();
    this.#secret = secret;
  }

  /** Opens the key that is there, and encrypts it if the secret is new. */
  async prepare(): Promise<void> {
    if ((await this.#read()) !== undefined) await this.own();
  }

  /** Made when it is first needed. */
  async own(): Promise<KeyObject> {
    this.#known ??= await this.#load();
    return this.#known;
  }

  async #load(): Promise<KeyObject> {
    const pem = (await this.#read()) ?? (await this.#create());
    const key = this.#open(pem);
    if (this.#secret !== undefined && !pem.includes(encrypted)) await this.#encrypt(key);
    return key;
  }

  /** The secret was set after the key was made. */
  async #encrypt(key: KeyObject): Promise<void> {
    const row = { private_key: this.#encode(key) };
    await this.#database.transaction((tx) => tx.updateTable("receipt_key").set(row).where("id", "=", onlyId).execute());
  }

  async #read(): Promise<string | undefined> {
    const row = await this.#database.read((db) =>
      db.selectFrom("receipt_key").select("private_key").executeTakeFirst(),
    );
    return row?.private_key;
  }

  /** If another server makes one at the same time, the first one counts. */
  async #create(): Promise<string> {
    const { privateKey } = generateKeyPairSync("ed25519");
    const row = { id: onlyId, private_key: this.#encode(privateKey), created_at: Date.now() };
    await this.#database.transaction((tx) =>
      tx
        .insertInto("receipt_key")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute(),
    );
    return (await this.#read()) ?? row.private_key;
  }

  #encode(key: KeyObject): string {
    const protection = this.#secret === undefined ? {} : { cipher: "aes-256-cbc", passphrase: this.#secret };
    return key.export({ type: "pkcs8", format: "pem", ...protection }).toString();
  }

  #open(pem: string): KeyObject {
    if (!pem.includes(encrypted)) return createPrivateKey(pem);
    try {
      return createPrivateKey({ key: pem, passphrase: this.#secret ?? "" });
    } catch {
      throw serverSecretMissing();
    }
  }
}
