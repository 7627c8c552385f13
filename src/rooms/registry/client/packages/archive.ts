import { createHash } from "node:crypto";
import { createGunzip, gzipSync } from "node:zlib";
import { Header, Parser, Pax, type ReadEntry } from "tar";
import { ForgeError } from "../../../../kernel/errors.ts";
import { hostilePackage } from "./errors.ts";
import { type PackageFile, PackageFiles, packageLimits } from "./package-files.ts";

// Loaded only where there is something to pack or unpack: the library for archives takes longer than a list of agents.

const top = "package/";
const block = 512;

/** The files as a gzipped tar archive, the same bytes for the same files. */
export function packArchive(files: readonly PackageFile[]): Buffer {
  return gzipSync(packTar(files), { level: 9 });
}

/** A name for the content of a folder: the hash of its files as an archive that is not compressed. */
export function integrityOfFiles(files: readonly PackageFile[]): string {
  return integrityOf(packTar(files));
}

export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

function packTar(files: readonly PackageFile[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const { path, bytes, isExecutable } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const fields = {
      path: top + path,
      mode: isExecutable ? 0o755 : 0o644,
      size: bytes.length,
      type: "File" as const,
      mtime: new Date(0),
    };
    const header = new Header(fields);
    header.encode();
    if (header.needPax) parts.push(new Pax({ path: fields.path }).encode());
    parts.push(header.block ?? Buffer.alloc(block), bytes, Buffer.alloc((block - (bytes.length % block)) % block));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/**
 * The files of an archive, in memory: nothing is on the disk before all of it was found harmless. Links, special files, paths
 * that lead out, names that collide or are protected, and archives that unpack to too much are refused as a whole, the last as
 * soon as it shows.
 */
export async function readArchive(packed: Uint8Array): Promise<PackageFile[]> {
  if (packed.length > packageLimits.packedBytes)
    throw hostilePackage(`it is larger than ${packageLimits.packedBytes} bytes`);
  const gathered = new PackageFiles();
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: 65_536,
    onReadEntry: (entry) => {
      try {
        take(entry, gathered);
      } catch (error) {
        parser.emit("error", error);
        entry.resume();
      }
    },
  });
  parser.on("ignoredEntry", (entry: ReadEntry) =>
    parser.emit("error", hostilePackage(`it has an entry of an unsupported kind: ${entry.path}`)),
  );
  try {
    await unpackInto(parser, packed);
  } catch (error) {
    if (error instanceof ForgeError) throw error;
    throw hostilePackage("it is not a complete gzipped tar archive");
  }
  if (gathered.files.length === 0) throw hostilePackage("it is empty");
  return gathered.files;
}

function take(entry: ReadEntry, gathered: PackageFiles): void {
  const { type, path, size, mode = 0 } = entry;
  if (!path.startsWith(top)) {
    if (type === "Directory" && `${path}/` === top) return void entry.resume();
    throw hostilePackage(`"${path}" is outside its folder`);
  }
  const inner = path.slice(top.length);
  if (type === "Directory") {
    if (inner !== "") gathered.announceFolder(inner);
    entry.resume();
    return;
  }
  if (type !== "File" && type !== "OldFile") throw hostilePackage(`"${path}" is not a regular file (${type})`);
  const clean = gathered.announce(inner, size);
  const chunks: Uint8Array[] = [];
  entry.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
  // Only whether it can be run is kept of its permissions.
  entry.on("end", () => {
    gathered.add({ path: clean, bytes: Buffer.concat(chunks), isExecutable: (mode & 0o100) !== 0 });
  });
}

function unpackInto(parser: Parser, packed: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const gunzip = createGunzip();
    let bytes = 0;
    let isOver = false;
    let isRead = false;
    const end = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      gunzip.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    parser.on("error", end);
    parser.on("end", () => end(undefined));
    // What comes after the last entry the parser would gather, copying all of it again with every chunk.
    parser.on("eof", () => {
      isRead = true;
    });
    gunzip.on("error", end);
    gunzip.on("data", (chunk: Buffer) => {
      if (isOver) return;
      // The parser would unpack an archive inside the archive, without our limits.
      if (bytes === 0 && isPacked(chunk)) return end(hostilePackage("it is compressed twice"));
      bytes += chunk.length;
      // An archive has a little more than its files: their headers.
      if (bytes > packageLimits.bytes + packageLimits.files * 4 * block)
        return end(hostilePackage(`it unpacks to more than ${packageLimits.bytes} bytes`));
      if (bytes > 1_048_576 && bytes > packed.length * packageLimits.ratio)
        return end(hostilePackage(`it unpacks to more than ${packageLimits.ratio} times its size`));
      if (isRead) return;
      try {
        parser.write(chunk);
      } catch (error) {
        end(error);
      }
    });
    gunzip.on("end", () => {
      if (!isOver) parser.end();
    });
    gunzip.end(packed);
  });
}

function isPacked(chunk: Buffer): boolean {
  return (chunk[0] === 0x1f && chunk[1] === 0x8b) || (chunk[0] === 0x28 && chunk[1] === 0xb5);
}
