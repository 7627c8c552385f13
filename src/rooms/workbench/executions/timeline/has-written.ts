import { realPlace } from "../../../../platform/files/real-place.ts";
import { isInside } from "../../../../platform/git/run/locate-repository.ts";
import type { ExecutionStore } from "../execution-store.ts";

/** Whether Forge's tools have written in a folder since then, in any process and whatever is there by now. */
export async function hasWritten(store: ExecutionStore, root: string, since: number): Promise<boolean> {
  const folder = realPlace(root);
  const written = await store.database.read((db) => store.listWrittenFolders(db, since));
  return written.map(realPlace).some((one) => one === folder || isInside(folder, one));
}
