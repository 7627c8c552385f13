import type { Context } from "hono";
import { findJsonFault } from "../../../commons/json/ordered-json.ts";
import { maxElements, tooManyElements } from "../../../kernel/calls/input-limits.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { spotOf } from "../../../kernel/text/excerpt.ts";
import { HttpError } from "../reply/http-error.ts";

const maxBodyBytes = 1_048_576;
/** Of a request that needs no token. */
export const maxPublicBytes = 16_384;
const limits = { depth: 64, parts: maxElements };

/** The text of a JSON body; undefined where none was sent. Its length is counted as it arrives. */
export async function readBodyText(context: Context, maxBytes = maxBodyBytes): Promise<string | undefined> {
  const { headers } = context.req.raw;
  const announced = headers.get("content-length");
  if (announced === "0" || (announced === null && !context.req.raw.body)) return undefined;
  if ((headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity") throw wrongType("not compressed");
  if (Number(announced ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Never more than the announced length arrives here.
  const bytes =
    announced === null ? await readLimited(context.req.raw.body, maxBytes) : await context.req.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  // Without a charset or with any: JSON is UTF-8.
  if (!/^application\/(?:[\w.-]{1,60}\+)?json(?:$|[ ;])/i.test(headers.get("content-type") ?? ""))
    throw wrongType("application/json");
  return decodeBody(bytes);
}

/** How much room the body of a request may take; the most where it does not say. */
export function announcedBytes({ req }: Context): number {
  if (req.method === "GET" || req.method === "HEAD") return 0;
  const announced = req.header("content-length");
  if (announced !== undefined) return Math.min(Number(announced) || 0, maxBodyBytes);
  return req.header("transfer-encoding") === undefined ? 0 : maxBodyBytes;
}

export function parseBody(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  // Parsing a megabyte of brackets, or finding what is wrong with it, keeps everyone else waiting.
  if (text.length > maxElements && hasTooManyElements(text)) throw tooManyElements();
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(text);
  }
}

/** By the commas and brackets outside strings, without parsing. A text that passes may still have a few more. */
function hasTooManyElements(text: string): boolean {
  let commas = 0;
  let openings = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === comma) commas++;
    else if (code === bracket || code === brace) openings++;
    if (commas > maxElements || openings > maxElements + 1) return true;
  }
  return false;
}

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((character) => character.charCodeAt(0));

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/** Invalid UTF-8 is an error: with replacement characters, something else would be stored than what was sent. */
function decodeBody(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    throw new ForgeError("VALIDATION_ERROR", "The body is not valid UTF-8.", {
      next: ["Send the JSON encoded as UTF-8."],
    });
  }
}

async function readLimited(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function notJson(text: string): ForgeError {
  const fault = findJsonFault(text, limits);
  const place = spotOf(text, fault?.offset ?? 0);
  const why = fault ? `${fault.what}; expected ${fault.expected}` : "it cannot be read";
  return new ForgeError(
    "VALIDATION_ERROR",
    `The body is not valid JSON: line ${place.line}, column ${place.column}: ${why}.`,
    { details: place, next: ["Correct the JSON at that place and send it again."] },
  );
}

function tooLarge(limit: number): HttpError {
  const shown = limit < 1_048_576 ? `${limit / 1_024} KiB` : `${limit / 1_048_576} MiB`;
  return new HttpError(413, {
    code: "VALIDATION_ERROR",
    message: `The body is too large: the limit is ${shown}.`,
    details: { limit, unit: "bytes" },
    next: ["Send less in one request."],
  });
}

function wrongType(expected: string): HttpError {
  return new HttpError(415, {
    code: "VALIDATION_ERROR",
    message: `This kind of body is not supported: it must be ${expected}.`,
    details: { expected },
    next: ["Send JSON, uncompressed, with the header Content-Type: application/json."],
  });
}
