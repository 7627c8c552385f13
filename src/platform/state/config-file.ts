import { lstatSync, readFileSync, realpathSync, rmdirSync, type Stats, statSync, unlinkSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { fileError } from "../files/file-error.ts";
import { Tree } from "../files/root/tree.ts";
import { writeDurably } from "../files/write/durable-write.ts";
import { syncFolder } from "../files/write/sync.ts";
import { errorCode } from "../host/error-code.ts";

/** A file of some program's configuration, below a folder that exists. */
export type ConfigPlace = {
  base: string;
  /** From the base downwards, with forward slashes. */
  path: string;
  /** In the person's own folder a link may lead anywhere (dotfiles are often kept so); in a project it must stay inside. */
  owner: "project" | "person";
  /** For Forge's own files in a project: a link there is a trap and nothing else, wherever it leads. */
  mayBeLinked?: boolean;
};

export type FoundConfig = {
  /** Undefined where there is no such file yet. */
  text: string | undefined;
  /** Where it really is, behind any links. */
  realPath: string;
  mode: number | undefined;
};

const maxBytes = 4 * 1_048_576;

/** Looks at a configuration file without changing anything; throws where it could not be changed safely. */
export function readConfig(place: ConfigPlace): FoundConfig {
  const path = join(place.base, ...place.path.split("/"));
  try {
    const realPath = realPlaceOf(path);
    assertInside(place, path, realPath);
    const entry = lstatSync(realPath, { throwIfNoEntry: false });
    if (!entry) return { text: undefined, realPath, mode: undefined };
    assertUsable(entry, path);
    return { text: decode(readFileSync(realPath), path), realPath, mode: entry.mode & 0o777 };
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Follows links like the system does, but also where the last names do not exist yet. */
function realPlaceOf(path: string): string {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink() && !statSync(path, { throwIfNoEntry: false })) throw deadLink(path);
  if (entry) return realpathSync.native(path);
  return dirname(path) === path ? path : join(realPlaceOf(dirname(path)), basename(path));
}

function assertInside(place: ConfigPlace, path: string, realPath: string): void {
  if (place.owner === "person") return;
  const way = relative(realpathSync.native(place.base), realPath).split(sep);
  if (place.mayBeLinked === false && way.join("/") !== place.path) throw linkedFile(path);
  if (way[0] !== ".." && !way.includes(".git")) return;
  throw new ForgeError(
    "PERMISSION_DENIED",
    `${path} leads outside the project through a link, so it was not changed.`,
    {
      details: { file: path },
      next: [
        "Replace the link with a file in the project.",
        { command: "init --scope user", why: "to set this client up for your user instead" },
      ],
    },
  );
}

function assertUsable(entry: Stats, path: string): void {
  const wrong = unusableReason(entry);
  if (!wrong) return;
  throw new ForgeError("PERMISSION_DENIED", `${path} ${wrong}, so it was not changed.`, {
    details: { file: path },
    next: ["Make it a regular file that you can write to, or leave this client out."],
  });
}

function unusableReason(entry: Stats): string | undefined {
  if (!entry.isFile()) return "is not a regular file";
  if (entry.size > maxBytes) return `is larger than ${maxBytes} bytes`;
  // Replacing a file needs no right to it; that it is read-only was somebody's decision all the same.
  return (entry.mode & 0o200) === 0 ? "is read-only" : undefined;
}

function linkedFile(path: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${path} is a link, or in a linked folder; it must be a regular file.`, {
    details: { file: path },
    next: ["Remove the link, then try again."],
  });
}

function deadLink(path: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${path} is a broken link.`, {
    details: { file: path },
    next: ["Create its target, or remove the link."],
  });
}

/** The byte order mark stays in the text: it is there when the file is written again. */
function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ForgeError("CONFIG_ERROR", `${path} is not UTF-8 text, so it was not changed.`, {
      details: { file: path },
      next: ["Save it as UTF-8 and try again."],
      cause: error,
    });
  }
}

/** Replaces or creates the file that `found` was read from; refuses where somebody else changed it since. */
export async function writeConfig(place: ConfigPlace, found: FoundConfig, text: string): Promise<void> {
  await atPlace(place, found, async (tree, folderNames, name) => {
    const folder = await tree.folder(folderNames, { mode: place.owner === "person" ? 0o700 : 0o777 });
    try {
      const mode = found.mode ?? (place.owner === "person" ? 0o600 : undefined);
      await writeDurably({ opening: tree.opening, folder, name }, Buffer.from(text), {
        ...(mode !== undefined && { mode }),
        mustBeNew: found.text === undefined,
        beforePlacing: () => assertSame(place, found),
      });
    } finally {
      tree.close(folder);
    }
  });
}

/** Deletes the file, and those of the folders above it that are empty then; names count from the base. */
export async function deleteConfig(place: ConfigPlace, found: FoundConfig, folders: readonly string[]): Promise<void> {
  await atPlace(place, found, async (tree, folderNames, name) => {
    const folder = await tree.folder(folderNames);
    try {
      assertSame(place, found);
      unlinkSync(tree.opening.pathIn(folder, name));
      await syncFolder(folder.descriptor);
    } finally {
      tree.close(folder);
    }
  });
  const empty = [...folders].filter((path) => place.path.startsWith(`${path}/`)).sort((a, b) => b.length - a.length);
  for (const path of empty) removeIfEmpty(join(place.base, ...path.split("/")));
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) throw error;
  }
}

type Work = (tree: Tree, folderNames: string[], name: string) => Promise<void>;

/** Works through the nearest folder that exists, so that nothing on the way can be exchanged for a link meanwhile. */
async function atPlace({ base, path, owner }: ConfigPlace, { realPath }: FoundConfig, work: Work): Promise<void> {
  const top = owner === "person" ? nearestFolder(dirname(realPath)) : realpathSync.native(base);
  const names = relative(top, realPath).split(sep);
  try {
    await work(Tree.at(top), names.slice(0, -1), basename(realPath));
  } catch (error) {
    throw fileError(error, join(base, path));
  }
}

function nearestFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function assertSame(place: ConfigPlace, found: FoundConfig): void {
  const now = readConfig(place);
  if (now.text === found.text && now.realPath === found.realPath) return;
  const file = join(place.base, place.path);
  throw new ForgeError("CONFLICT_ERROR", `${file} was changed by another program in the meantime.`, {
    details: { file },
    next: ["Try again with its current content."],
  });
}

/** Those of the folders above a file that do not exist yet; paths as in `place.path`. */
export function missingFolders({ base, path }: ConfigPlace): string[] {
  const names = path.split("/").slice(0, -1);
  return names
    .map((_, index) => names.slice(0, index + 1).join("/"))
    .filter((folder) => !statSync(join(base, ...folder.split("/")), { throwIfNoEntry: false }));
}
