import { constants, createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../host/error-code.ts";

type ReadOptions = {
  /** Ends it. */
  signal?: AbortSignal;
  maxBytes?: number | undefined;
  standardInput?: () => Readable;
};

const megabyte = 1_048_576;
const defaultMaxBytes = 4 * megabyte;

/** The text of a file that the person at the keyboard names, or of standard input for `-`. */
export async function readInput(file: string, { signal, maxBytes = defaultMaxBytes, standardInput }: ReadOptions = {}) {
  const isStandard = file === "-" && standardInput !== undefined;
  const source = isStandard ? "Standard input" : file;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const stream = isStandard ? standardInput() : openFile(file);
    if (signal) addAbortSignal(signal, stream);
    for await (const chunk of stream) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(source, maxBytes);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (signal?.aborted)
      throw new ForgeError("CANCELLED", `Reading ${isStandard ? "standard input" : file} was cancelled.`);
    throw error instanceof ForgeError ? error : unreadable(source, error);
  }
}

/**
 * What may keep its reader waiting, a pipe or a terminal, is read as an event: a thread that waits in the system for it, even
 * for its opening, would keep the process from ending.
 */
function openFile(file: string): Readable {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (isatty(fd)) return new ReadStream(fd);
  if (fstatSync(fd).isFIFO()) return new Socket({ fd, readable: true, writable: false });
  return createReadStream("", { fd });
}

function tooLarge(source: string, maxBytes: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${source} is too large: the limit is ${maxBytes / megabyte} MiB.`);
}

function unreadable(source: string, error: unknown): ForgeError {
  const code = errorCode(error);
  if (code === "ENOENT") {
    return new ForgeError("NOT_FOUND", `File ${source} not found.`, { next: ["Check the path."] });
  }
  const why = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : (code ?? "unknown reason");
  return new ForgeError("VALIDATION_ERROR", `${source} cannot be read: ${why}.`, {
    next: ["Use a text file that you can read, or - for standard input."],
  });
}
