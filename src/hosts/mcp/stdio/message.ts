import { isRecord } from "../../../kernel/json.ts";
import { findOversize } from "../message-limits.ts";
import type { Line } from "./line-splitter.ts";

export type RequestId = string | number;
export type Message = { jsonrpc: "2.0"; id?: RequestId; method?: string; params?: Record<string, unknown> };
export type Request = Message & { id: RequestId; method: string };

/** A message that is not JSON-RPC as MCP defines it, with what to answer. Without an id, it is not known whose it was. */
export type MalformedMessage = {
  code: number;
  message: string;
  id?: RequestId;
  /** A notification is never answered, whatever is wrong with it. */
  isNotification?: true;
};

const parseError = -32700;
const invalidRequest = -32600;
const maxIdLength = 256;

/** One line as a message, or as the error to answer it with. The SDK drops what it cannot read, and the client would wait. */
export function readMessage(line: Line, limit: number): { message: Message } | { malformed: MalformedMessage } {
  if ("fault" in line) {
    const limitText = `${Math.floor(limit / 1_048_576)} MiB`;
    const fault =
      line.fault === "too-long"
        ? { code: invalidRequest, message: `Message too large: the limit is ${limitText}. Send less in one call.` }
        : { code: parseError, message: "Parse error: the line is not valid UTF-8. Send it encoded as UTF-8." };
    return { malformed: { ...fault, ...findIdAtEnds(line.head, line.tail) } };
  }
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return { malformed: { code: parseError, message: "Parse error: the line is not valid JSON." } };
  }
  const problem = problemWith(value) ?? findOversize(value, line.text.length);
  if (problem === undefined) return { message: value as Message };
  const id = idOf(value);
  return {
    malformed: {
      code: invalidRequest,
      message: `Invalid request: ${problem}.`,
      ...(id !== undefined && { id }),
      ...(isNotification(value) && { isNotification: true }),
    },
  };
}

export function isRequest(message: Message): message is Request {
  return message.method !== undefined && message.id !== undefined;
}

function isNotification(value: unknown): boolean {
  return isRecord(value) && typeof value["method"] === "string" && !("id" in value);
}

function problemWith(message: unknown): string | undefined {
  if (Array.isArray(message)) return "batches are not part of MCP; send one message per line";
  if (!isRecord(message)) return "a message must be a JSON object";
  if (message["jsonrpc"] !== "2.0") return 'the member "jsonrpc" must be "2.0"';
  if ("id" in message && !isId(message["id"]) && !isErrorWithoutId(message)) {
    return `the id must be an integer or a string of at most ${maxIdLength} characters`;
  }
  if ("method" in message) return problemWithCall(message);
  const isResponse = "id" in message && ("result" in message || "error" in message);
  return isResponse || isErrorWithoutId(message)
    ? undefined
    : "a message needs a method, or a result or error with an id";
}

const callMembers = new Set(["jsonrpc", "id", "method", "params"]);

/** A request or notification. The SDK silently drops these if a member or `_meta` is not as it expects. */
function problemWithCall(message: Record<string, unknown>): string | undefined {
  if (typeof message["method"] !== "string") return "the method must be a string";
  if (Object.keys(message).some((member) => !callMembers.has(member))) {
    return "a request may only have the members jsonrpc, id, method and params";
  }
  const { params } = message;
  if (params === undefined) return undefined;
  if (!isRecord(params)) return "params must be an object";
  return isMeta(params["_meta"])
    ? undefined
    : "params._meta must be an object, its progressToken a string or an integer";
}

const relatedTaskKey = "io.modelcontextprotocol/related-task";

function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isRecord(meta)) return false;
  const { progressToken: token, [relatedTaskKey]: task } = meta;
  const isToken = token === undefined || typeof token === "string" || Number.isSafeInteger(token);
  return isToken && (task === undefined || (isRecord(task) && typeof task["taskId"] === "string"));
}

/** A peer may answer what it could not read without an id, or with null. */
function isErrorWithoutId(message: Record<string, unknown>): boolean {
  return "error" in message && !("method" in message) && (message["id"] === undefined || message["id"] === null);
}

function isId(id: unknown): id is RequestId {
  return (typeof id === "string" && id.length <= maxIdLength) || (typeof id === "number" && Number.isSafeInteger(id));
}

function idOf(value: unknown): RequestId | undefined {
  return isRecord(value) && isId(value["id"]) ? value["id"] : undefined;
}

/** The id of a message too long to parse, if it is first or last in it: only there it is certainly the message's own. */
function findIdAtEnds(head: string, tail: string): { id?: RequestId } {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[\w.:-]{1,64}")\s*,/.exec(head);
  const last = /,\s*"id"\s*:\s*(\d{1,15}|"[\w.:-]{1,64}")\s*\}\s*$/.exec(tail);
  const found = first?.[1] ?? last?.[1];
  return found === undefined ? {} : { id: JSON.parse(found) as RequestId };
}
