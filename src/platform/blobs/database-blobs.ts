import type { Database } from "../db/database.ts";
import type { Reads } from "../db/types.ts";
import { sha256Of } from "../files/root/read-all.ts";
import type { BlobTables } from "./blob-tables.ts";
import {
  assertBlobId,
  type Blobs,
  blobNotFound,
  damagedBlob,
  gather,
  type PutOptions,
  type StoredBlob,
} from "./blobs.ts";

/** Content in the database, for a team whose servers share no disk. */
export class DatabaseBlobs implements Blobs {
  readonly #database: Database<BlobTables>;

  constructor(database: Database<BlobTables>) {
    this.#database = database;
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredBlob> {
    const { sha256, size, bytes } = await gather(content, options);
    if (await this.has(sha256)) return { sha256, size };
    await this.#database.transaction(async (tx) => {
      const found = await bytesOf(tx, sha256);
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

  async get(sha256: string): Promise<Uint8Array> {
    const bytes = await this.#find(sha256);
    if (!bytes) throw blobNotFound(sha256);
    if (sha256Of(bytes) !== sha256) throw damagedBlob(sha256);
    return bytes;
  }

  async has(sha256: string): Promise<boolean> {
    const bytes = await this.#find(sha256);
    return bytes !== undefined && sha256Of(bytes) === sha256;
  }

  async remove(sha256: string): Promise<boolean> {
    assertBlobId(sha256);
    return await this.#database.transaction(async (tx) => {
      const { numDeletedRows } = await tx.deleteFrom("blob").where("sha256", "=", sha256).executeTakeFirst();
      return numDeletedRows > 0n;
    });
  }

  async #find(sha256: string): Promise<Uint8Array | undefined> {
    assertBlobId(sha256);
    return await this.#database.read((reads) => bytesOf(reads, sha256));
  }
}

async function bytesOf(db: Reads<BlobTables>, sha256: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom("blob").select("bytes").where("sha256", "=", sha256).executeTakeFirst();
  // SQLite keeps whatever somebody else puts into the column.
  return row && (row.bytes instanceof Uint8Array ? row.bytes : Buffer.from(String(row.bytes)));
}
