import { type SpecTypeName, specTypeSchemas } from "@modelcontextprotocol/client";

export type Json = Record<string, unknown>;

export type WireMessage = {
  jsonrpc: "2.0";
  id?: string | number | null;
  method?: string;
  params?: Json;
  result?: Json;
  error?: { code: number; message: string; data?: unknown };
};

const envelope = specTypeSchemas.JSONRPCMessage["~standard"];

/** Parses a line of stdout; undefined if it is not a message. An error about an unreadable line has no id. */
export function isJsonRpc(line: string): WireMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return envelope.validate(value).issues === undefined ? (value as WireMessage) : undefined;
  } catch {
    return undefined;
  }
}

const resultTypes: Record<string, SpecTypeName> = {
  initialize: "InitializeResult",
  "server/discover": "DiscoverResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "completion/complete": "CompleteResult",
};

/** The problem with a method's result, if any. Only a question to the client has another form. */
export function requireValidResult(method: string, result: Json): string | undefined {
  const type = resultTypes[method];
  if (!type || result["resultType"] === "input_required") return undefined;
  const { issues } = specTypeSchemas[type]["~standard"].validate(result);
  if (issues) return `the result of ${method} is no ${type}: ${JSON.stringify(issues).slice(0, 500)}`;
  if (method !== "tools/call") return undefined;
  const content = result["content"];
  return Array.isArray(content) && content.length > 0 ? undefined : "a tool answered without content";
}

/** The `_meta` that every request of the stateless revision carries. */
export function stateless(extra: Json = {}, capabilities: Json = {}, version = "2026-07-28"): Json {
  return {
    ...extra,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": capabilities,
      "io.modelcontextprotocol/clientInfo": { name: "harness", version: "1" },
      ...(extra["_meta"] as Json | undefined),
    },
  };
}

/** The text of a tool's answer. */
export function textOf(message: WireMessage): string {
  const [block] = (message.result?.["content"] ?? []) as { text?: string }[];
  return block?.text ?? "";
}
