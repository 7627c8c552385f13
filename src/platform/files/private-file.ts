import { fchmodSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../files.ts";
import { writeDurably } from "./durable-write.ts";
import { wrongKind } from "./expectations.ts";
import { explained } from "./file-error.ts";
import type { EntryStats, Opened } from "./opening.ts";
import { readAll } from "./reading.ts";
import { Tree } from "./tree.ts";

const largestPrivateFile = 1_048_576;

/**
 * Writes a file that only its owner may read (0600 in a folder of 0700 from the first moment on), durably. For what Forge
 * keeps of a person: secrets, trust. The folder above its folder must exist; links and other people's folders are refused.
 */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const tree = treeAround(path);
  await explained(path, async () => {
    const folder = await tree.folder([], { mode: 0o700 });
    try {
      keepToOwner(folder, dirname(path), 0o700);
      const place = { opening: tree.opening, folder, name: basename(path) };
      refuseLink(tree, folder, path);
      await writeDurably(place, typeof content === "string" ? Buffer.from(content) : content, { mode: 0o600 });
    } finally {
      tree.close(folder);
    }
  });
}

/** The content of such a file; undefined where there is none. Permissions that are too wide are corrected on the way. */
export async function readPrivateFile(path: string): Promise<Buffer | undefined> {
  return await explained(path, async () => {
    const tree = treeAround(path);
    const folder = await folderOrNone(tree);
    if (!folder) return undefined;
    try {
      keepToOwner(folder, dirname(path), 0o700);
      const found = tree.opening.lookAt(folder, basename(path));
      try {
        if (found.kind !== "file") throw wrongKind(path, "file", found.kind);
        return await tree.readingFound(found, async (descriptor) => {
          keepToOwner({ ...found, descriptor }, path, 0o600);
          return await readAll(descriptor, found.stats.size, { bytes: largestPrivateFile, path });
        });
      } finally {
        tree.close(found);
      }
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    } finally {
      tree.close(folder);
    }
  });
}

function treeAround(path: string): Tree {
  const folder = dirname(path);
  return Tree.at(dirname(folder)).within([basename(folder)]);
}

async function folderOrNone(tree: Tree): Promise<Opened | undefined> {
  try {
    return await tree.folder([]);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A rename would replace the link and not what it leads to; somebody put it there for a reason, so they are told. */
function refuseLink(tree: Tree, folder: Opened, path: string): void {
  try {
    const found = tree.opening.lookAt(folder, basename(path));
    tree.close(found);
    if (found.kind !== "file") throw wrongKind(path, "file", found.kind);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

function keepToOwner(
  { descriptor, stats }: { descriptor: number; stats: EntryStats },
  path: string,
  mode: number,
): void {
  if (process.platform === "win32") return;
  if (stats.uid !== BigInt(process.getuid?.() ?? 0)) {
    throw new ForgeError("PERMISSION_DENIED", `${path} belongs to another user; secrets are not kept there.`, {
      details: { path },
      suggestions: ["Use a folder of your own: a HOME that belongs to the user who runs Forge."],
    });
  }
  if ((Number(stats.mode) & 0o777 & ~mode) !== 0) fchmodSync(descriptor, mode);
}
