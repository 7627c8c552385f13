import {
  type CallToolResult,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { ActionFormatter } from "../../kernel/action.ts";
import type { Answer } from "../../kernel/calls/invoke.ts";
import { type ErrorBody, wireError } from "../../kernel/errors.ts";

/** Answers of the kernel in the protocol's words. */

const completionLimit = 100;

export function callResult({ structured, text, content }: Answer): CallToolResult {
  // The kernel's content blocks are the protocol's, loosely typed.
  if (content) return { content } as CallToolResult;
  return { content: [{ type: "text", text }], structuredContent: structured as Record<string, unknown> };
}

export function completion(values: string[]): CompleteResult {
  const shown = values.slice(0, completionLimit);
  return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
}

/** Without structured content, which would have to match the tool's output schema. */
export function failureResult(body: ErrorBody, word: ActionFormatter): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(wireError(body, word), null, 2) }], isError: true };
}

export function reject(body: ErrorBody, word: ActionFormatter): never {
  const code = body.code === "INTERNAL_ERROR" ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  throw new ProtocolError(code, body.message, wireError(body, word));
}

export function unknownName(kind: string, name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}: ${name.slice(0, 128)}`);
}
