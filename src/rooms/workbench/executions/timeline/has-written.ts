import { realPlace } from "../../../../platform/files/real-place.ts";
import { locateRepository } from "../../../../platform/git/run/locate-repository.ts";
import type { ExecutionStore } from "../execution-store.ts";

/** Whether Forge's tools have written in the work tree of a folder since then, in any process and whatever is there by now. */
export async function hasWritten(store: ExecutionStore, folder: string, since: number): Promise<boolean> {
  const tree = realPlace(locateRepository(folder)?.workTree ?? folder);
  const written = await store.database.read((db) => store.listWrittenFolders(db, since));
  return written.some((root) => realPlace(root) === tree);
}
