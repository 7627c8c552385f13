import { fchmodSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { entryAt } from "../entry-at.ts";
import { explainErrors } from "../file-error.ts";
import { wrongKind } from "../root/expectations.ts";
import type { EntryStats, OpenedEntry } from "../root/file-opener.ts";
import { readAll } from "../root/read-all.ts";
import { Tree } from "../root/tree.ts";
import { writeDurably } from "./durable-write.ts";
import { confirmChange } from "./sync.ts";

const maxPrivateFileBytes = 1_048_576;

type PrivateWrite = {
  /** Fails with CONFLICT_ERROR where the name is taken, rather than replacing what is there. */
  mustBeNew?: boolean;
};

/**
 * Writes a file that only its owner may read (0600 in a folder of 0700 from the first moment on), durably. For what Forge
 * keeps of a person: secrets, trust. Its folder and the one above are made where they are missing; links and other people's
 * folders are refused.
 */
export async function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  { mustBeNew = false }: PrivateWrite = {},
): Promise<void> {
  await explainErrors(path, async () => {
    const tree = treeAround(path);
    const folder = await tree.folder([], { mode: 0o700 });
    try {
      keepToOwner(folder, dirname(path), 0o700);
      const place = { opening: tree.opening, folder, name: basename(path) };
      refuseLink(tree, folder, path);
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      await writeDurably(place, bytes, { mode: 0o600, mustBeNew });
    } finally {
      tree.close(folder);
    }
  });
}

/** The content of such a file; undefined where there is none. Permissions that are too wide are corrected on the way. */
export async function readPrivateFile(path: string, maxBytes = maxPrivateFileBytes): Promise<Buffer | undefined> {
  if (await explainErrors(path, async () => entryAt(path) === undefined)) return undefined;
  return await inFolder(path, async (tree, folder) => {
    keepToOwner(folder, dirname(path), 0o700);
    const found = tree.opening.lookAt(folder, basename(path));
    try {
      if (found.kind !== "file") throw wrongKind(path, "file", found.kind);
      return await tree.withOpenFile(found, async (descriptor) => {
        keepToOwner({ ...found, descriptor }, path, 0o600);
        return await readAll(descriptor, found.stats.size, { bytes: maxBytes, path });
      });
    } finally {
      tree.close(found);
    }
  });
}

/** Removes such a file for good, power cuts included; returns whether there was one. A link is removed, not followed. */
export async function removePrivateFile(path: string): Promise<boolean> {
  const removed = await inFolder(path, async (tree, folder) => {
    unlinkSync(tree.opening.pathIn(folder, basename(path)));
    await confirmChange(path, folder.descriptor);
    return true;
  });
  return removed ?? false;
}

/** Works in a private file's folder; undefined where the folder, or what the work looks for, is not there. */
async function inFolder<T>(
  path: string,
  work: (tree: Tree, folder: OpenedEntry) => Promise<T>,
): Promise<T | undefined> {
  return await explainErrors(path, async () => {
    let held: { tree: Tree; folder: OpenedEntry } | undefined;
    try {
      const tree = treeAround(path);
      held = { tree, folder: await tree.folder([]) };
      return await work(tree, held.folder);
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    } finally {
      if (held) held.tree.close(held.folder);
    }
  });
}

function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "NOT_FOUND"].includes(errorCode(error) ?? "");
}

/** A tree whose top is the file's folder. Where the folder above it is missing too, that one belongs to the way. */
function treeAround(path: string): Tree {
  const folder = dirname(path);
  const above = dirname(folder);
  return entryAt(above)
    ? Tree.at(above).within([basename(folder)])
    : Tree.at(dirname(above)).within([basename(above), basename(folder)]);
}

/** A rename would replace the link and not what it leads to; somebody put it there for a reason, so they are told. */
function refuseLink(tree: Tree, folder: OpenedEntry, path: string): void {
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
    throw new ForgeError("PERMISSION_DENIED", `${path} belongs to another user, so secrets are not stored there.`, {
      details: { path },
      next: ["Set HOME to a folder that belongs to the user who runs Forge."],
    });
  }
  if ((Number(stats.mode) & 0o777 & ~mode) !== 0) fchmodSync(descriptor, mode);
}
