import { createHash } from "node:crypto";
import { constants, fstatSync, lstatSync, openSync, read } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";

const { O_RDONLY } = constants;
/** Windows knows none of these. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 }: Partial<typeof constants> = constants;

const readAt = promisify(read);
const chunkBytes = 1_048_576;

/**
 * Descriptors of databases, by which file they are of. They stay open for good: closing one would drop the locks that
 * SQLite's connections in this process hold on the same file, and with them what keeps other processes out of its way.
 */
const heldDescriptors = new Map<string, number>();

/** A descriptor to read a database by, also while SQLite has it open. */
export function holdOpen(file: string): number {
  const known = heldDescriptors.get(whichFile(lstatSync(file, { bigint: true })));
  if (known !== undefined) return known;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  heldDescriptors.set(whichFile(fstatSync(descriptor, { bigint: true })), descriptor);
  return descriptor;
}

function whichFile({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}

export async function sha256In(descriptor: number): Promise<string> {
  const hasher = createHash("sha256");
  for await (const chunk of chunksOf(descriptor)) hasher.update(chunk);
  return hasher.digest("hex");
}

/** Writes a new private file with what a descriptor gives, on the disk when this returns; returns the hash of what was written. */
export async function copyInto(path: string, descriptor: number): Promise<string> {
  const hasher = createHash("sha256");
  const target = await open(path, "wx", 0o600);
  try {
    for await (const chunk of chunksOf(descriptor)) {
      hasher.update(chunk);
      await target.writeFile(chunk);
    }
    await target.chmod(0o600);
    await target.sync();
  } finally {
    await target.close();
  }
  return hasher.digest("hex");
}

/** By what comes, not by what the size said: another process may be writing. */
async function* chunksOf(descriptor: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await readAt(descriptor, buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
