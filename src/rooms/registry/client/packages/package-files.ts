import { ForgeError } from "../../../../kernel/errors.ts";
import { isRecord, isTextDeeperThan } from "../../../../kernel/json.ts";
import { assertChangeable } from "../../../../platform/files/protected-names.ts";
import { parsePath } from "../../../../platform/files/root/relative-path.ts";
import type { NewFile } from "../../../../platform/files/write/replace-folder.ts";
import { hostilePackage } from "./errors.ts";

export type PackageFile = NewFile;

/** What a package may have, packed or not. */
export const packageLimits = {
  packedBytes: 16 * 1_048_576,
  bytes: 64 * 1_048_576,
  files: 5_000,
  pathLength: 512,
  depth: 16,
  /** Levels of a package.json. */
  json: 90,
  ratio: 200,
};

const maxPackageFile = 1_048_576;

const lifecycle = [
  "preinstall",
  "install",
  "postinstall",
  "prepare",
  "preprepare",
  "postprepare",
  "prepublish",
  "dependencies",
];

/** What an installation keeps beside a plugin's files. */
const ownName = /^\.forge-/i;
const runOnInstall = /^binding\.gyp$/i;

/** Gathers the files of a package. The first that is not harmless ends it: a package is taken in full or not at all. */
export class PackageFiles {
  readonly #files: PackageFile[] = [];
  /** Every name on the way to a file, as a file system that does not tell cases apart knows it. */
  readonly #taken = new Map<string, { path: string; isFile: boolean }>();
  #bytes = 0;

  get files(): PackageFile[] {
    return this.#files;
  }

  /** Throws where a file of this size may not be added; asked before its content is read. */
  announce(path: string, size: number): string {
    const clean = checkedPath(path);
    this.#bytes += size;
    if (this.#bytes > packageLimits.bytes) throw hostilePackage(`it unpacks to more than ${packageLimits.bytes} bytes`);
    if (this.#taken.size >= packageLimits.files)
      throw hostilePackage(`it has more than ${packageLimits.files} entries`);
    this.#claim(clean, true);
    return clean;
  }

  announceFolder(path: string): void {
    const clean = checkedPath(path);
    if (this.#taken.size >= packageLimits.files)
      throw hostilePackage(`it has more than ${packageLimits.files} entries`);
    this.#claim(clean, false);
  }

  add(file: PackageFile): void {
    if (/(?:^|\/)package\.json$/i.test(file.path)) refuseScripts(file);
    this.#files.push(file);
  }

  #claim(path: string, isFile: boolean): void {
    const names = path.split("/");
    for (let end = 1; end <= names.length; end++) {
      const part = names.slice(0, end).join("/");
      const isLast = end === names.length;
      // To upper case first: "ß" and "SS" are one name where cases do not count.
      const key = part.normalize("NFKC").toUpperCase().toLowerCase();
      const known = this.#taken.get(key);
      if (known && (known.path !== part || (isLast && isFile) || known.isFile))
        throw hostilePackage(
          known.path === part
            ? `"${part}" is in it twice`
            : `"${known.path}" and "${part}" are the same name on some systems`,
        );
      if (!known) this.#taken.set(key, { path: part, isFile: isLast && isFile });
    }
  }
}

/** A plain way down: nothing that leads out, and nothing that some program acts on by its name alone. */
function checkedPath(path: string): string {
  if (path.length > packageLimits.pathLength) throw hostilePackage("a path in it is too long");
  try {
    const names = parsePath(path.replace(/\/$/, ""));
    if (names.length === 0 || names.join("/") !== path.replace(/\/$/, ""))
      throw hostilePackage(`"${path}" is not a plain path`);
    if (names.length > packageLimits.depth) throw hostilePackage(`"${path}" is too deep`);
    assertChangeable(names);
    if (names.some((name) => ownName.test(name))) throw hostilePackage(`"${path}" is a name that Forge uses itself`);
    if (runOnInstall.test(names.at(-1) ?? "")) throw hostilePackage(`npm runs "${path}" on installation`);
    return names.join("/");
  } catch (error) {
    if (error instanceof ForgeError && error.code !== "INTEGRITY_ERROR")
      throw hostilePackage(error.message.replace(/\.$/, ""));
    throw error;
  }
}

/** Forge runs no script of a package. One that expects it is not taken, because another program might. */
function refuseScripts({ path, bytes }: PackageFile): void {
  if (bytes.length > maxPackageFile) throw hostilePackage(`${path} is larger than ${maxPackageFile} bytes`);
  // npm reads a file with a byte order mark too.
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  if (isTextDeeperThan(text, packageLimits.json)) throw hostilePackage(`${path} is nested too deeply`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  const scripts = isRecord(value) && isRecord(value["scripts"]) ? value["scripts"] : {};
  const found = lifecycle.find((name) => Object.hasOwn(scripts, name));
  if (found !== undefined) throw hostilePackage(`${path} has the script "${found}", which runs on installation`);
}
