import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../../state/temporary-folder.ts";
import { copyIndex } from "../index/index-file.ts";
import type { GitRunner } from "./runner.ts";

/** Environments for git commands that leave the repository as it is. */
export type Scratch = {
  /** An index of our own; the person's is not touched. */
  index: Record<string, string>;
  /** New objects go to a folder of our own as well; those of the repository can be read. */
  objects: Record<string, string>;
};

/** Lends a scratch place; with `fresh` its index is empty, else it begins as the work tree's. */
export function withScratch<T>(
  { location }: GitRunner,
  begin: "fresh" | "copied",
  work: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder("git", async (folder) => {
    const index = join(folder, "index");
    const objects = join(folder, "objects");
    mkdirSync(objects);
    if (begin === "copied") copyIndex(location.gitDir, index);
    return work({
      index: { GIT_INDEX_FILE: index },
      objects: {
        GIT_INDEX_FILE: index,
        GIT_OBJECT_DIRECTORY: objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(join(location.commonDir, "objects")),
      },
    });
  });
}

/** Git takes a path apart at colons unless it is quoted. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
