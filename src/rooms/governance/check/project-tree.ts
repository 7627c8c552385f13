import { detectLanguage } from "../../../commons/code-index/languages.ts";
import { type FileStamp, PlainFiles } from "../../../platform/files/plain-files.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Git, Repository } from "../../../platform/git/git.ts";
import { NulRecords } from "../../../platform/git/read/nul-records.ts";

const walkLimits = { files: 50_000, folders: 5_000 } as const;
const skippedFolders = new Set(["node_modules", "vendor", "dist", "build", "target", "venv", "__pycache__"]);

/** A project's files by path, as git would commit them: tracked ones and new ones that it does not ignore. */
export class ProjectTree {
  readonly root: string;
  readonly paths: readonly string[];
  /** Files that git has under names that are not UTF-8, and that no path here leads to. */
  readonly unnamed: readonly string[];
  readonly #files: PlainFiles;
  readonly #stamps = new Map<string, FileStamp>();

  private constructor(root: string, names: readonly string[], unnamed: readonly string[] = []) {
    this.root = root;
    this.unnamed = unnamed;
    this.#files = new PlainFiles(root);
    for (const name of names) {
      const stamp = this.#files.stamp(name);
      if (stamp) this.#stamps.set(name, stamp);
    }
    this.paths = [...this.#stamps.keys()];
  }

  static async read(root: string, git: Git, signal: AbortSignal): Promise<ProjectTree> {
    const repository = git.find(root);
    if (!repository) return new ProjectTree(root, await walk(root, signal));
    const { names, unnamed } = await listNames(repository, root, signal);
    return new ProjectTree(root, names, unnamed);
  }

  /** Changes with every write of the file, from a second after it on. */
  stampOf(path: string): string {
    return this.#stamps.get(path)?.text ?? "";
  }

  isSettled(path: string): boolean {
    return this.#stamps.get(path)?.isSettled ?? false;
  }

  /** Undefined for what is not text, or larger than that. */
  text(path: string, maxBytes: number): string | undefined {
    const bytes = this.#files.read(path, maxBytes);
    return bytes && !hasNul(bytes) ? bytes.toString("utf8") : undefined;
  }

  /**
   * The same for the rules: source code is searched even with characters in it that no text has, because compilers accept them in
   * comments, and some accept UTF-16.
   */
  readForSearch(path: string, maxBytes: number): { text: string; isText: boolean } | undefined {
    const bytes = this.#files.read(path, maxBytes);
    if (!bytes) return undefined;
    if (!hasNul(bytes)) return { text: bytes.toString("utf8"), isText: true };
    return detectLanguage(path) && { text: decode(bytes), isText: false };
  }
}

function hasNul(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.toString("utf16le");
  if (first === 0xfe && second === 0xff)
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString("utf16le");
  return bytes.toString("utf8");
}

async function listNames(
  repository: Repository,
  root: string,
  signal: AbortSignal,
): Promise<{ names: string[]; unnamed: string[] }> {
  const prefix = prefixOf(repository, root);
  const names = new Set<string>();
  const unnamed = new Set<string>();
  const records = new NulRecords((record) => {
    const name = record.toString("utf8");
    // What ends in a slash is a repository of its own.
    if (!name.startsWith(prefix) || name.endsWith("/")) return;
    const isText = !name.includes("\ufffd") || Buffer.from(name).equals(record);
    (isText ? names : unnamed).add(name.slice(prefix.length));
  });
  await repository.must("ls-files", ["-z", "--full-name", "--cached", "--others", "--exclude-standard"], {
    signal,
    onStdout: (chunk) => records.write(chunk),
  });
  return { names: [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), unnamed: [...unnamed].sort() };
}

/** The names of a commit's files. */
export async function listCommitNames(repository: Repository, root: string, commit: string, signal: AbortSignal) {
  const prefix = prefixOf(repository, root);
  const names: string[] = [];
  const records = new NulRecords((record) => {
    const tab = record.indexOf("\t");
    const name = record.toString("utf8", tab + 1);
    if (record.toString("latin1", 0, 6) !== "160000" && name.startsWith(prefix)) names.push(name.slice(prefix.length));
  });
  await repository.must("ls-tree", ["-r", "-z", "--full-tree", commit], {
    signal,
    onStdout: (chunk) => records.write(chunk),
  });
  return names;
}

/** The text of a file of the project in a commit; undefined where it is not there. */
export function readCommitText(
  repository: Repository,
  root: string,
  { commit, path }: { commit: string; path: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  return repository.textAt(commit, `${prefixOf(repository, root)}${path}`, signal);
}

/** From the repository's top to the project's folder, with a slash at its end. */
function prefixOf({ location }: Repository, root: string): string {
  const { workTree } = location;
  if (root === workTree || !root.startsWith(`${workTree}/`)) return "";
  return `${root.slice(workTree.length + 1)}/`;
}

async function walk(root: string, signal: AbortSignal): Promise<string[]> {
  const safe = SafeRoot.at(root);
  const [files, folders]: [string[], string[]] = [[], [""]];
  for (let at = 0; at < Math.min(folders.length, walkLimits.folders) && files.length < walkLimits.files; at++) {
    signal.throwIfAborted();
    const folder = folders[at] ?? "";
    const { entries } = await safe.list(folder).catch(() => ({ entries: [] }));
    for (const { name, kind } of entries) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "file") files.push(path);
      else if (kind === "folder" && !name.startsWith(".") && !skippedFolders.has(name)) folders.push(path);
    }
  }
  return files.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
