import { createHash, hash } from "node:crypto";
import { read, readSync } from "node:fs";
import { promisify } from "node:util";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { showPath } from "./relative-path.ts";

const readLater = promisify(read);
const chunkBytes = 262_144;

/** The whole content. A file that grows while it is read is measured by what comes, not by what its size said. */
export async function readAll(
  descriptor: number,
  size: bigint,
  limit: { bytes: number; path: string },
): Promise<Buffer> {
  if (size > limit.bytes) throw tooLarge(limit.path, size, limit.bytes);
  // One byte more than expected: reading less than asked then means the end, without another look.
  const buffer = Buffer.allocUnsafe(Number(size) + 1);
  const filled = await fill(descriptor, buffer);
  if (filled < buffer.length) return buffer.subarray(0, filled);
  const rest = Buffer.allocUnsafe(limit.bytes + 1 - Math.min(filled, limit.bytes));
  const more = await fill(descriptor, rest);
  if (filled + more > limit.bytes) throw tooLarge(limit.path, BigInt(filled + more), limit.bytes);
  return Buffer.concat([buffer, rest.subarray(0, more)]);
}

export function sha256Of(content: Uint8Array): string {
  return hash("sha256", content);
}

/** The hash of a file of any size up to the limit, in little memory. */
export async function sha256From(
  descriptor: number,
  size: bigint,
  limit: { bytes: number; path: string },
): Promise<string> {
  const hasher = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let total = 0; ; ) {
    if (size > limit.bytes || total > limit.bytes) throw tooLarge(limit.path, size, limit.bytes);
    const count = await readChunk(descriptor, buffer);
    if (count === 0) return hasher.digest("hex");
    hasher.update(buffer.subarray(0, count));
    total += count;
  }
}

async function fill(descriptor: number, buffer: Buffer): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const count = await readChunk(descriptor, buffer.subarray(filled));
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** A small read costs less than handing it to another thread. An interrupted one is made again. */
async function readChunk(descriptor: number, buffer: Buffer): Promise<number> {
  for (;;) {
    try {
      if (buffer.length <= chunkBytes) return readSync(descriptor, buffer, 0, buffer.length, null);
      return (await readLater(descriptor, buffer, 0, buffer.length, null)).bytesRead;
    } catch (error) {
      if (errorCode(error) !== "EINTR") throw error;
    }
  }
}

function tooLarge(path: string, size: bigint, limit: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${showPath(path)} has ${size} bytes; the limit is ${limit}.`, {
    details: { path, size: Number(size), limit },
    next: ["Use a smaller file, or a program for large files."],
  });
}
