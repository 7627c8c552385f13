import { createReadStream } from "node:fs";
import { ForgeError } from "../kernel/errors.ts";
import { errorCode } from "./error-code.ts";

const megabyte = 1_048_576;
const usualMost = 4 * megabyte;
const standardInput = 0;

/** The text of a file that the person at the keyboard names, or of standard input for `-`. */
export async function readInput(file: string, mostBytes = usualMost): Promise<string> {
  const source = file === "-" ? "Standard input" : file;
  const stream = file === "-" ? createReadStream("", { fd: standardInput, autoClose: false }) : createReadStream(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) throw tooLarge(source, mostBytes);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw error instanceof ForgeError ? error : unreadable(source, error);
  }
}

function tooLarge(source: string, mostBytes: number): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${source} is too large: at most ${mostBytes / megabyte} MiB are read.`);
}

function unreadable(source: string, error: unknown): ForgeError {
  const code = errorCode(error);
  if (code === "ENOENT") {
    return new ForgeError("NOT_FOUND", `There is no file ${source}.`, { suggestions: ["Check the path."] });
  }
  const why = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : (code ?? "unknown reason");
  return new ForgeError("VALIDATION_ERROR", `${source} cannot be read: ${why}.`, {
    suggestions: ["Give a text file that you may read, or - for standard input."],
  });
}
