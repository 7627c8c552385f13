import { ForgeError } from "../../kernel/errors.ts";
import { sha256Of } from "../files/root/read-all.ts";

/** Content is held in memory, to be hashed before it is stored and before it is returned. */
export const maxBlobBytes = 64 * 1_048_576;

export type StoredBlob = { sha256: string; size: number };

export type PutOptions = {
  /** Default and maximum: 64 MiB. */
  maxBytes?: number;
};

/**
 * Content under the name of its own SHA-256. Storing the same twice is storing it once; what is given out is what was put in,
 * or an error. Where the content proves damaged, storing it again heals it, and the damaged bytes are kept beside.
 *
 * The caller owns its references to content: store first and refer afterwards, stop referring first and remove afterwards.
 */
export interface Blobs {
  /** When this returns, the content is on the disk. Where it throws, nothing has changed. Not inside a transaction. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredBlob>;
  /** NOT_FOUND where there is none, INTEGRITY_ERROR where it is damaged. */
  get(sha256: string): Promise<Uint8Array>;
  /** Whether `get` would give it: there, and undamaged. */
  has(sha256: string): Promise<boolean>;
  /** For the only owner of the content. Returns whether there was any. */
  remove(sha256: string): Promise<boolean>;
}

/** A name that is certainly a hash, and so cannot be a way anywhere. */
export function assertBlobId(sha256: string): void {
  if (typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256)) return;
  throw new ForgeError("VALIDATION_ERROR", "This is not the id of stored content; expected 64 hexadecimal digits.", {
    next: ["Use the sha256 that was returned when the content was stored."],
  });
}

/** The content in memory of our own: the caller may overwrite theirs in the meantime. */
export async function gather(
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { maxBytes = maxBlobBytes }: PutOptions = {},
): Promise<StoredBlob & { bytes: Buffer }> {
  const limit = Math.min(maxBytes, maxBlobBytes);
  const bytes = content instanceof Uint8Array ? copyOf(content, limit) : await collect(content, limit);
  return { sha256: sha256Of(bytes), size: bytes.length, bytes };
}

function copyOf(content: Uint8Array, limit: number): Buffer {
  if (content.length > limit) throw tooLarge(limit);
  return Buffer.from(content);
}

async function collect(content: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(limit: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The content is larger than ${limit} bytes, and was not stored.`, {
    details: { limit },
    next: ["Store less, or in several parts."],
  });
}

export function blobNotFound(sha256: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Stored content ${sha256} not found.`, {
    details: { sha256 },
    next: ["It may have been removed. Create it again."],
  });
}

export function damagedBlob(sha256: string): ForgeError {
  return new ForgeError("INTEGRITY_ERROR", `The stored content ${sha256} is damaged, so it was not used.`, {
    details: { sha256 },
    next: ["Create the content again and store it. The damaged bytes are kept beside it.", "Check the disk."],
  });
}
