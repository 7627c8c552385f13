import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeOnBlobStores } from "../../../test/harness/fs/blob-stores.ts";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

describeOnBlobStores("blobs", (open) => {
  test("any bytes come back as they were, from memory and from a stream", async () => {
    const { blobs, names } = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.array(fc.nat(5_000), { maxLength: 4 }),
        async (bytes, cuts) => {
          const stored = await blobs.put(bytes);
          expect(stored).toEqual({ sha256: sha256(bytes), size: bytes.length });
          expect(Buffer.compare(await blobs.get(stored.sha256), bytes)).toBe(0);
          const borders = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
          const chunks = borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));
          expect(await blobs.put(Readable.from(chunks))).toEqual(stored);
          expect(await blobs.has(stored.sha256)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
    expect(new Set(await names()).size).toBe((await names()).length);
  });

  test("a large one, and an empty one", async () => {
    const { blobs } = await open();
    const large = Buffer.alloc(8 * 1024 * 1024, "forge ");
    const stored = await blobs.put(large);
    expect(large.equals(await blobs.get(stored.sha256))).toBe(true);
    const empty = await blobs.put(Buffer.alloc(0));
    expect([empty.size, (await blobs.get(empty.sha256)).length]).toEqual([0, 0]);
  });

  test("bytes that are written over while they are stored do no harm", async () => {
    const { blobs } = await open();
    const bytes = Buffer.from("as it was");
    const storing = blobs.put(bytes);
    bytes.fill("x");
    const stored = await storing;
    expect(Buffer.from(await blobs.get(stored.sha256)).toString()).toBe("as it was");
  });

  test("what is not there is NOT_FOUND, and removing tells whether there was any", async () => {
    const { blobs } = await open();
    const name = sha256("hello");
    expect(await blobs.has(name)).toBe(false);
    expect(await blobs.remove(name)).toBe(false);
    await expect(blobs.get(name)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await blobs.put(Buffer.from("hello"));
    expect(await blobs.remove(name)).toBe(true);
    expect(await blobs.has(name)).toBe(false);
    await expect(blobs.get(name)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("the limit holds for bytes and for streams that do not end; nothing is kept of them", async () => {
    const { blobs, names } = await open();
    const chunk = Buffer.alloc(1_000);
    let given = 0;
    async function* endless() {
      for (;;) {
        given++;
        yield chunk;
      }
    }
    expect((await blobs.put(chunk, { maxBytes: 1_000 })).size).toBe(1_000);
    for (const content of [Buffer.alloc(1_001), endless()]) {
      await expect(blobs.put(content, { maxBytes: 1_000 })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        details: { limit: 1_000 },
      });
    }
    expect(given).toBe(2);
    await expect(blobs.put(endless())).rejects.toMatchObject({ details: { limit: 64 * 1024 * 1024 } });
    expect(await names()).toEqual([sha256(chunk)]);
  });

  test("a stream that breaks leaves nothing", async () => {
    const { blobs, names } = await open();
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("gone");
    }
    await expect(blobs.put(broken())).rejects.toThrow("gone");
    expect(await names()).toEqual([]);
  });

  test.each([
    ["another byte", (bytes: Buffer) => Buffer.from(bytes).fill("X", 3, 4)],
    ["one bit", (bytes: Buffer) => Buffer.concat([Buffer.of((bytes[0] ?? 0) ^ 1), bytes.subarray(1)])],
    ["an end that is missing", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["nothing left", () => Buffer.alloc(0)],
    ["something more", (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])],
  ])(
    "damage is noticed: %s. It is never given out, storing again heals it, and the damaged bytes are kept",
    async (_name, damage) => {
      const { blobs, tamper, kept } = await open();
      const bytes = Buffer.from("what was stored");
      const stored = await blobs.put(bytes);
      const changed = damage(bytes);
      await tamper(stored.sha256, changed);
      for (let round = 0; round < 2; round++) {
        await expect(blobs.get(stored.sha256)).rejects.toMatchObject({
          code: "INTEGRITY_ERROR",
          details: { sha256: stored.sha256 },
        });
        expect(await blobs.has(stored.sha256)).toBe(false);
      }
      expect(await blobs.put(bytes)).toEqual(stored);
      expect(Buffer.from(await blobs.get(stored.sha256)).toString()).toBe("what was stored");
      expect(await kept()).toEqual([changed.toString("latin1")]);
    },
  );

  test.each([
    "",
    "ab",
    "../../../etc/passwd",
    "..",
    "a".repeat(63),
    "a".repeat(65),
    "A".repeat(64),
    "g".repeat(64),
    `${"a".repeat(64)}\n`,
    `../${"a".repeat(61)}`,
    `${"a".repeat(31)}/../${"a".repeat(29)}`,
    `${"a".repeat(63)}\0`,
    `${"a".repeat(62)}:x`,
    `${"a".repeat(63)}ａ`,
    "con",
  ])("D13 a name that is no hash is refused: %j", async (name) => {
    const { blobs } = await open();
    for (const work of [blobs.get(name), blobs.has(name), blobs.remove(name)]) {
      await expect(work).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
  });

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
