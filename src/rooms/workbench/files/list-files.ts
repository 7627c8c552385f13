import { ForgeError } from "../../../kernel/errors.ts";
import { isReadable } from "../../../platform/files/protected-names.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Git } from "../../../platform/git/git.ts";
import { decodeName } from "../../../platform/git/names/decode-name.ts";
import { NulRecords } from "../../../platform/git/read/nul-records.ts";
import type { Workspace } from "../model/execution-model.ts";
import { gitListFailed, missingPath, tooManyFiles } from "./errors.ts";
import { pathPrefix } from "./path-status.ts";

const maxFiles = 500_000;

/** What git writes before a name: deleted from the work tree, or not part of it (sparse checkout). */
const absentTags = new Set(["R", "S"]);

/**
 * The existing files below a folder, sorted: tracked and untracked ones, and with `ignored` also ignored ones. Files that may not
 * be read are left out.
 */
export async function listFiles(
  git: Git,
  { path: root }: Pick<Workspace, "path">,
  folder: string,
  { ignored, signal }: { ignored: boolean; signal: AbortSignal },
): Promise<string[]> {
  const repository = git.open(root);
  const place = pathPrefix(repository, root);
  const names = new Set<string>();
  const absent = new Set<string>();
  const records = new NulRecords((record) => {
    const name = decodeName(record.subarray(2)).slice(place.length);
    if (absentTags.has(record.toString("latin1", 0, 1))) absent.add(name);
    else names.add(name.replace(/\/$/, ""));
    if (names.size > maxFiles) throw tooManyFiles(maxFiles);
  });
  const within = `${place}${folder}`;
  const which = ["-z", "-t", "--cached", "--deleted", "--others", ...(ignored ? [] : ["--exclude-standard"])];
  const { code, stderr } = await repository.run("ls-files", [...which, "--", ...(within === "" ? [] : [within])], {
    signal,
    onStdout: (chunk) => records.write(chunk),
  });
  if (code !== 0) throw gitListFailed(stderr.toString());
  return [...names].filter((name) => name !== "" && !absent.has(name) && isReadable(name)).sort();
}

/** Throws if there is no such file or folder. */
export async function requireExisting(files: SafeRoot, path: string): Promise<void> {
  if (!(await files.stat(path))) throw missingPath(path);
}

/** `files`: number of files in a folder that is one entry. */
export type FileEntry = { path: string; size?: number; kind?: "folder" | "other"; files?: number };

/** Files deeper than `depth` are replaced by the folder that contains them. */
export function foldFolders(paths: readonly string[], folder: string, depth: number): FileEntry[] {
  const start = folder === "" ? 0 : folder.split("/").length;
  const entries = new Map<string, FileEntry>();
  for (const path of paths) {
    const names = path.split("/");
    const shown = names.slice(0, start + depth).join("/");
    const isInside = names.length > start + depth;
    const entry = entries.get(shown) ?? { path: shown };
    entries.set(shown, isInside ? { ...entry, kind: "folder", files: (entry.files ?? 0) + 1 } : entry);
  }
  return [...entries.values()];
}

/** One page and the cursor of the next; undefined for an invalid cursor. */
export function pageEntries(
  entries: readonly FileEntry[],
  cursor: string | undefined,
  limit: number,
): { entries: FileEntry[]; next: string | undefined } | undefined {
  const last = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
  if (last === "" || (last !== undefined && encodeCursor(last) !== cursor)) return undefined;
  const rest = last === undefined ? entries : entries.filter(({ path }) => path > last);
  const page = rest.slice(0, limit);
  const end = page.at(-1);
  return { entries: page, next: end && rest.length > limit ? encodeCursor(end.path) : undefined };
}

/** By name, not by number: files can come and go between two pages. */
function encodeCursor(path: string): string {
  return Buffer.from(path).toString("base64url");
}

/** Adds size or kind. */
export async function addSizes(files: SafeRoot, entries: readonly FileEntry[]): Promise<FileEntry[]> {
  const known: FileEntry[] = [];
  for (const entry of entries) known.push(entry.kind ? entry : { ...entry, ...(await readFacts(files, entry.path)) });
  return known;
}

/** For a link out of the project, or an unsupported name, only the kind is known. */
async function readFacts(files: SafeRoot, path: string): Promise<Pick<FileEntry, "size" | "kind">> {
  try {
    const found = await files.stat(path);
    if (found?.kind === "file") return { size: found.bytes };
    return { kind: found?.kind === "folder" ? "folder" : "other" };
  } catch (error) {
    if (error instanceof ForgeError) return { kind: "other" };
    throw error;
  }
}
