import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { openDatabase } from "../db/database.ts";
import { type BlobTables, blobMigrations } from "./blob-tables.ts";
import { Blobs } from "./blobs.ts";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
/** The place in the list before the blobs' own migration. */
const before = { id: 1, name: "before", up: async () => undefined };

describeOnEngines("blobs", (engine) => {
  const open = async () => {
    const database = openDatabase<BlobTables>(await engine.fresh(), [before, ...blobMigrations]);
    onTestFinished(() => database.close());
    return {
      blobs: new Blobs(database),
      tamper: (name: string, bytes: Uint8Array) =>
        database.transaction((tx) => tx.updateTable("blob").set({ bytes }).where("sha256", "=", name).execute()),
      damaged: async () => {
        const rows = await database.read((reads) => reads.selectFrom("blob_damaged").select("bytes").execute());
        return rows.map(({ bytes }) => Buffer.from(bytes).toString("latin1"));
      },
      names: async () => {
        const rows = await database.read((reads) => reads.selectFrom("blob").select("sha256").execute());
        return rows.map((row) => row.sha256);
      },
    };
  };

  test("any bytes come back as they were", async () => {
    const { blobs, names } = await open();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (bytes) => {
        const stored = await blobs.put(bytes);
        expect(stored).toEqual({ sha256: sha256(bytes), size: bytes.length });
        expect(Buffer.compare(await blobs.get(stored.sha256), bytes)).toBe(0);
      }),
      { numRuns: 25 },
    );
    expect(new Set(await names()).size).toBe((await names()).length);
  });

  test("bytes that are overwritten while they are stored do no harm", async () => {
    const { blobs } = await open();
    const bytes = Buffer.from("as it was");
    const storing = blobs.put(bytes);
    bytes.fill("x");
    const stored = await storing;
    expect(Buffer.from(await blobs.get(stored.sha256)).toString()).toBe("as it was");
  });

  test("what is not there is NOT_FOUND", async () => {
    const { blobs } = await open();
    await expect(blobs.get(sha256("hello"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test.each([
    ["another byte", (bytes: Buffer) => Buffer.from(bytes).fill("X", 3, 4)],
    ["one bit", (bytes: Buffer) => Buffer.concat([Buffer.of((bytes[0] ?? 0) ^ 1), bytes.subarray(1)])],
    ["an end that is missing", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["nothing left", () => Buffer.alloc(0)],
    ["something more", (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])],
  ])(
    "damage is noticed: %s. It is never returned, storing again repairs it, and the damaged bytes are kept",
    async (_name, damage) => {
      const { blobs, tamper, damaged } = await open();
      const bytes = Buffer.from("what was stored");
      const stored = await blobs.put(bytes);
      const changed = damage(bytes);
      await tamper(stored.sha256, changed);
      await expect(blobs.get(stored.sha256)).rejects.toMatchObject({
        code: "INTEGRITY_ERROR",
        details: { sha256: stored.sha256 },
      });
      expect(await blobs.put(bytes)).toEqual(stored);
      expect(Buffer.from(await blobs.get(stored.sha256)).toString()).toBe("what was stored");
      expect(await damaged()).toEqual([changed.toString("latin1")]);
    },
  );

  test("many at once, of the same content and of others", async () => {
    const { blobs, names } = await open();
    const stored = await Promise.all(
      Array.from({ length: 40 }, (_, index) => blobs.put(Buffer.alloc(20_000, String(index % 4)))),
    );
    const different = new Set(stored.map((blob) => blob.sha256));
    expect(different.size).toBe(4);
    expect((await names()).sort()).toEqual([...different].sort());
    for (const name of different) expect((await blobs.get(name)).length).toBe(20_000);
  });
});
