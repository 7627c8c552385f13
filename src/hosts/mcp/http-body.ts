import { isRecord } from "../../kernel/json.ts";
import { findOversize } from "./message-limits.ts";

export type RequestId = string | number;

/** What is wrong with a body, as the error to answer with. */
export type BodyFault = { code: number; message: string; id?: RequestId };

/** Ids of the requests in a body and of those that it cancels, or what is wrong with it. What is no JSON-RPC at all is left to the next handler. */
export type ReadBody = { fault: BodyFault } | BodyIds;

export type BodyIds = { ids: RequestId[]; cancelled: unknown[] };

const parseError = -32700;
const invalidRequest = -32600;

/** Looks through a body before the SDK does, as each line on stdin is. The request can still be read afterwards. */
export async function readBody(request: Request, maxBytes: number): Promise<ReadBody> {
  if (request.method !== "POST") return { ids: [], cancelled: [] };
  const text = await readText(request, maxBytes);
  if (text === "not UTF-8")
    return {
      fault: { code: parseError, message: "Parse error: the body is not valid UTF-8. Send it encoded as UTF-8." },
    };
  const messages = parse(text?.body);
  for (const message of messages) {
    const oversize = findOversize(message, text?.body.length ?? 0);
    if (oversize === undefined) continue;
    const id = idOf(message);
    return {
      fault: { code: invalidRequest, message: `Invalid request: ${oversize}.`, ...(id !== undefined && { id }) },
    };
  }
  return { ids: messages.flatMap((message) => idOf(message) ?? []), cancelled: messages.flatMap(listCancelled) };
}

/** Undefined if it is too long, which the next handler reports. */
async function readText(request: Request, maxBytes: number): Promise<{ body: string } | "not UTF-8" | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  // Decoding puts replacement characters for other bytes: something else would be stored than what was sent.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let length = 0;
  let body = "";
  try {
    for await (const chunk of request.clone().body ?? []) {
      length += chunk.byteLength;
      if (length > maxBytes) return undefined;
      body += decoder.decode(chunk, { stream: true });
    }
    return { body: body + decoder.decode() };
  } catch (error) {
    if (error instanceof TypeError) return "not UTF-8";
    throw error;
  }
}

function parse(body: string | undefined): unknown[] {
  try {
    const value: unknown = body === undefined ? undefined : JSON.parse(body);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}

function listCancelled(message: unknown): unknown[] {
  if (!isRecord(message) || message["method"] !== "notifications/cancelled" || !isRecord(message["params"])) return [];
  return [message["params"]["requestId"]];
}

/** Of a request; a notification has none, and an answer's is not its own. */
function idOf(message: unknown): RequestId | undefined {
  if (!isRecord(message) || typeof message["method"] !== "string") return undefined;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
