/** Stores new and repeated content, and prints each name once it is acknowledged. Tests kill it. */
import { writeSync } from "node:fs";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { DatabaseBlobs } from "../../../src/platform/blobs/database-blobs.ts";
import { DiskBlobs } from "../../../src/platform/blobs/disk-blobs.ts";
import { type BlobPlace, openBlobDatabase } from "./blob-stores.ts";

const [given = "{}", seed = "", size = "50000"] = process.argv.slice(2);
const place: BlobPlace = JSON.parse(given);
const blobs = "stateDir" in place ? new DiskBlobs(place.stateDir) : new DatabaseBlobs(openBlobDatabase(place));
try {
  for (let number = 0; ; number++) {
    const content = Buffer.alloc(Number(size), `${number % 3 === 0 ? "shared" : seed}-${number} `);
    const { sha256 } = await blobs.put(content);
    writeSync(1, `${sha256}\n`);
  }
} catch (error) {
  writeSync(1, `${error instanceof ForgeError ? `${error.code} ${error.message}` : `stranger ${error}`}\n`);
}
