import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { ForgeError } from "../../kernel/errors.ts";
import type { AttemptTimer } from "./attempt-timer.ts";
import { failure, timeoutError, tryLater } from "./failures.ts";
import type { Hop } from "./types.ts";

type ReadOptions = { watch: AttemptTimer; chunkMs: number; maxBytes: number };

/** What the decoders below can undo. */
export const acceptEncoding = "gzip, br";

/** The whole body, unpacked. Both what comes in and what it unpacks to are counted as they come: neither can be a bomb. */
export async function readBody(hop: Hop, message: IncomingMessage, reading: ReadOptions): Promise<Uint8Array> {
  const { maxBytes } = reading;
  if (Number(message.headers["content-length"] ?? 0) > maxBytes && hop.method !== "HEAD") {
    throw tooLarge(hop.url, maxBytes);
  }
  const decoder = decoderFor(hop, message);
  const packed = await collect(receiveChunks(hop, message, reading), hop.url, maxBytes);
  // An answer without a body (204, 304) may name the encoding it would have had.
  if (!decoder || packed.length === 0) return packed;
  decoder.end(packed);
  return collect(decoder, hop.url, maxBytes);
}

async function collect(chunks: AsyncIterable<Uint8Array>, url: URL, maxBytes: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(url, maxBytes);
    kept.push(chunk);
  }
  return Buffer.concat(kept, size);
}

/** The chunks as they come, each within its time. */
export async function* receiveChunks(
  { url }: Hop,
  message: IncomingMessage,
  { watch, chunkMs }: Omit<ReadOptions, "maxBytes">,
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  for (;;) {
    watch.stage(chunkMs, () => timeoutError(url, "did not continue its response", chunkMs));
    const { done, value } = await chunks.next();
    watch.rest();
    if (done) return;
    yield value;
  }
}

function decoderFor({ url, method }: Hop, message: IncomingMessage): Transform | undefined {
  const encoding = (message.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (method === "HEAD" || encoding === "identity" || encoding === "") return undefined;
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "br") return createBrotliDecompress();
  if (encoding === "deflate") return createInflate();
  throw failure("garbled", url, `${url.host} sent its response in an encoding that was not requested.`, [tryLater]);
}

function tooLarge(url: URL, maxBytes: number): ForgeError {
  return failure(
    "too-large",
    url,
    `The response from ${url.host} is larger than the limit of ${maxBytes} bytes.`,
    ["Ask for less at once, or check the address."],
    { maxBytes },
  );
}
