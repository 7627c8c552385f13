import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { entryAt } from "../entry-at.ts";
import { explainErrors } from "../file-error.ts";
import { syncNames } from "./private-folder.ts";

export type NewFile = { path: string; bytes: Uint8Array; isExecutable: boolean };

const [freshPrefix, oldPrefix] = [".forge-new-", ".forge-old-"];
const atOnce = 8;

/**
 * Puts a folder with these files in the place of the one that is there, if any. A reader, also after a crash, finds the old
 * folder or the new one: between the two renames the old one is `setAsideName(name)`, and the next change puts it back.
 * The caller holds a lock on the parent folder.
 */
export async function replaceFolder(parent: string, name: string, files: readonly NewFile[]): Promise<void> {
  await explainErrors(name, async () => {
    recoverFolder(parent, name);
    const [fresh, target, old] = placesOf(parent, name);
    try {
      await writeFiles(fresh, files);
      if (entryAt(target)) renameSync(target, old);
      renameSync(fresh, target);
    } catch (error) {
      recoverFolder(parent, name);
      throw error;
    }
    syncNames(parent);
    rmSync(old, { recursive: true, force: true });
  });
}

/** Removes a folder: after a crash it is there in full, or not at all. Returns whether there was one. */
export async function removeFolder(parent: string, name: string): Promise<boolean> {
  return explainErrors(name, async () => {
    recoverFolder(parent, name);
    const [fresh, target] = placesOf(parent, name);
    if (!entryAt(target)) return false;
    renameSync(target, fresh);
    syncNames(parent);
    rmSync(fresh, { recursive: true, force: true });
    return true;
  });
}

/** What a change that was interrupted left: the old folder goes back to its place, anything unfinished is removed. */
function recoverFolder(parent: string, name: string): void {
  const [fresh, target, old] = placesOf(parent, name);
  if (entryAt(old) && !entryAt(target)) renameSync(old, target);
  for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true });
}

/** The folder's name in the moment in which neither the old nor the new one is in its place. */
function setAsideName(name: string): string {
  return `${oldPrefix}${name}`;
}

/** The name that a folder was set aside from; undefined for any other name. */
export function originalName(name: string): string | undefined {
  return name.startsWith(oldPrefix) ? name.slice(oldPrefix.length) : undefined;
}

function placesOf(parent: string, name: string): [fresh: string, target: string, old: string] {
  return [join(parent, `${freshPrefix}${name}`), join(parent, name), join(parent, setAsideName(name))];
}

async function writeFiles(folder: string, files: readonly NewFile[]): Promise<void> {
  const folders = new Set([folder, ...files.map(({ path }) => dirname(join(folder, path)))]);
  for (const one of folders) mkdirSync(one, { recursive: true });
  const queue = [...files];
  const work = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) await writeNew(join(folder, file.path), file);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const one of folders) syncNames(one);
}

/** On the disk when this returns. */
async function writeNew(path: string, { bytes, isExecutable }: NewFile): Promise<void> {
  const file = await open(path, "wx", isExecutable ? 0o755 : 0o644);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes the folders below a base, none of which may be a link: what is written there would be somewhere else. */
export async function makeFoldersBelow(base: string, names: readonly string[]): Promise<string> {
  return explainErrors(names.join("/"), async () => {
    let folder = base;
    mkdirSync(base, { recursive: true });
    for (const name of names) {
      folder = join(folder, name);
      if (!entryAt(folder)) mkdirSync(folder);
      else if (!lstatSync(folder).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
    }
    return folder;
  });
}
