import { ForgeError } from "../../kernel/errors.ts";
import type { Database } from "../db/database.ts";
import type { Reads } from "../db/types.ts";
import { sha256Of } from "../files/root/read-all.ts";
import type { BlobTables } from "./blob-tables.ts";

/**
 * Content in the database, under its own SHA-256. Storing the same twice is storing it once; what is read is what was stored, or
 * an error. If the content is damaged, storing it again repairs it, and the damaged bytes are kept.
 */
export class Blobs {
  readonly #database: Database<BlobTables>;

  constructor(database: Database<BlobTables>) {
    this.#database = database;
  }

  /** Once this returns, the content is stored; if it throws, nothing has changed. Not for use in a transaction. */
  async put(content: Uint8Array): Promise<{ sha256: string; size: number }> {
    // A copy: the caller may overwrite theirs in the meantime.
    const bytes = Buffer.from(content);
    const sha256 = sha256Of(bytes);
    const size = bytes.length;
    if (await this.#has(sha256)) return { sha256, size };
    await this.#database.transaction(async (tx) => {
      const found = await readBytes(tx, sha256);
      if (found && sha256Of(found) === sha256) return;
      if (found) await tx.insertInto("blob_damaged").values({ sha256, bytes: found, found_at: Date.now() }).execute();
      await tx
        .insertInto("blob")
        .values({ sha256, size, bytes, created_at: Date.now() })
        .onConflict((conflict) => conflict.column("sha256").doUpdateSet({ size, bytes }))
        .execute();
    });
    return { sha256, size };
  }

  /** NOT_FOUND if there is none, INTEGRITY_ERROR if it is damaged. */
  async get(sha256: string): Promise<Uint8Array> {
    const bytes = await this.#find(sha256);
    if (!bytes) throw blobNotFound(sha256);
    if (sha256Of(bytes) !== sha256) throw damagedBlob(sha256);
    return bytes;
  }

  async #has(sha256: string): Promise<boolean> {
    const bytes = await this.#find(sha256);
    return bytes !== undefined && sha256Of(bytes) === sha256;
  }

  async #find(sha256: string): Promise<Uint8Array | undefined> {
    return await this.#database.read((reads) => readBytes(reads, sha256));
  }
}

async function readBytes(db: Reads<BlobTables>, sha256: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom("blob").select("bytes").where("sha256", "=", sha256).executeTakeFirst();
  // SQLite keeps whatever somebody else puts into the column.
  return row && (row.bytes instanceof Uint8Array ? row.bytes : Buffer.from(String(row.bytes)));
}

function blobNotFound(sha256: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Stored content ${sha256} not found.`, {
    details: { sha256 },
    next: ["It may have been removed. Create it again."],
  });
}

function damagedBlob(sha256: string): ForgeError {
  return new ForgeError("INTEGRITY_ERROR", `The stored content ${sha256} is damaged, so it was not used.`, {
    details: { sha256 },
    next: ["Create the content again and store it. The damaged bytes are kept beside it.", "Check the disk."],
  });
}
