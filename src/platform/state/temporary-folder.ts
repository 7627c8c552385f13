import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lends a folder of its own, for its owner only and outside every project, for as long as the work takes. */
export async function withTemporaryFolder<T>(purpose: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(realpathSync.native(tmpdir()), `forge-${purpose}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
