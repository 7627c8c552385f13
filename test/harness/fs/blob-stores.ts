import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished } from "vitest";
import { type BlobTables, blobMigrations } from "../../../src/platform/blobs/blob-tables.ts";
import type { Blobs } from "../../../src/platform/blobs/blobs.ts";
import { DatabaseBlobs } from "../../../src/platform/blobs/database-blobs.ts";
import { DiskBlobs } from "../../../src/platform/blobs/disk-blobs.ts";
import { type Database, openDatabase } from "../../../src/platform/db/database.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import { describeOnEngines } from "../db/store.ts";

export type BlobPlace = { stateDir: string } | Place;

/** A blob store, with direct access to what it stores. */
export type TestStore = {
  place: BlobPlace;
  blobs: Blobs;
  /** Puts other bytes where the content is. */
  tamper(sha256: string, bytes: Uint8Array): Promise<void>;
  /** The damaged bytes that were kept. */
  kept(): Promise<string[]>;
  /** Names of everything stored. */
  names(): Promise<string[]>;
};

/** The place in the list before the blobs' own migration. */
const before = { id: 1, name: "before", up: async () => undefined };

export function openBlobDatabase(place: Place): Database<BlobTables> {
  return openDatabase<BlobTables>(place, [before, ...blobMigrations]);
}

/** Runs the same tests on the disk and in every database. */
export function describeOnBlobStores(name: string, tests: (open: () => Promise<TestStore>) => void): void {
  describe(`${name} (disk)`, () => tests(async () => diskStore()));
  describeOnEngines(name, (engine) => tests(async () => databaseStore(await engine.fresh())));
}

export function diskStore(): TestStore & { stateDir: string } {
  const project = mkdtempSync(join(tmpdir(), "forge-blobs-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const stateDir = join(project, ".forge");
  const folder = join(stateDir, "blobs");
  return {
    stateDir,
    place: { stateDir },
    blobs: new DiskBlobs(stateDir),
    async tamper(sha256, bytes) {
      const file = join(folder, sha256.slice(0, 2), sha256.slice(2));
      chmodSync(file, 0o600);
      writeFileSync(file, bytes);
    },
    async kept() {
      const aside = join(folder, "damaged");
      return existsSync(aside) ? readdirSync(aside).map((file) => readFileSync(join(aside, file), "latin1")) : [];
    },
    async names() {
      if (!existsSync(folder)) return [];
      const shards = readdirSync(folder).filter((name) => name.length === 2);
      return shards.flatMap((shard) =>
        readdirSync(join(folder, shard))
          .filter((name) => !name.startsWith("."))
          .map((name) => shard + name),
      );
    },
  };
}

function databaseStore(place: Place): TestStore {
  const database = openBlobDatabase(place);
  onTestFinished(() => database.close());
  return {
    place,
    blobs: new DatabaseBlobs(database),
    async tamper(sha256, bytes) {
      await database.transaction((tx) => tx.updateTable("blob").set({ bytes }).where("sha256", "=", sha256).execute());
    },
    async kept() {
      const rows = await database.read((reads) => reads.selectFrom("blob_damaged").select("bytes").execute());
      return rows.map(({ bytes }) => Buffer.from(bytes).toString("latin1"));
    },
    async names() {
      const rows = await database.read((reads) => reads.selectFrom("blob").select("sha256").execute());
      return rows.map(({ sha256 }) => sha256);
    },
  };
}
