import { isRecord } from "../../../kernel/json.ts";
import { listCaching, type McpLists, toolsFor } from "../lists/lists.ts";
import type { Request } from "./message.ts";

/** Revisions that open with `initialize`, newest first. */
const initializeRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
/** The first revision without sessions; every request names it. */
const statelessRevision = "2026-07-28";

const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const clientKey = "io.modelcontextprotocol/clientInfo";
const serverKey = "io.modelcontextprotocol/serverInfo";

export type Era = "initialize" | "stateless";

/** An answer as JSON, and the era it opens the connection in, if any: the SDK must see that request too. */
export type HandshakeAnswer = { result: string; opens: Era | undefined };

/**
 * Answers the handshake and the lists from data, before the SDK is loaded: a client that starts a server per window waits for
 * these. Only requests of the plainest form are answered here; anything unusual is left to the SDK. A test compares these
 * answers with the SDK's.
 */
export class Handshake {
  readonly #lists: () => McpLists;
  readonly #enabled: () => ReadonlySet<string>;
  /** What the client of the handshake called itself. */
  #client: string | undefined;

  constructor(lists: () => McpLists, enabled: () => ReadonlySet<string>) {
    this.#lists = lists;
    this.#enabled = enabled;
  }

  answer(request: Request, era: Era | undefined): HandshakeAnswer | undefined {
    const claim = claimOf(request);
    if (request.method === "initialize" && era !== "stateless") this.#client = readClientName(request) ?? this.#client;
    if (claim === "unusual") return undefined;
    if (claim === "stateless") {
      if (era === "initialize") return undefined;
      const more = this.stateless(listCaching);
      if (request.method === "server/discover")
        return { result: JSON.stringify({ ...this.#discovery(), ...more }), opens: undefined };
      const result = this.#list(request, more);
      return result === undefined ? undefined : { result, opens: "stateless" };
    }
    if (era === "stateless") return undefined;
    if (request.method === "initialize") return era === undefined ? this.#initialization(request) : undefined;
    const result = this.#list(request, {});
    return result === undefined ? undefined : { result, opens: "initialize" };
  }

  #initialization({ params }: Request): HandshakeAnswer | undefined {
    const requested = params?.["protocolVersion"];
    if (typeof requested !== "string" || !isRecord(params?.["capabilities"]) || !isClientInfo(params?.["clientInfo"])) {
      return undefined;
    }
    const { capabilities, serverInfo, instructions } = this.#lists();
    const protocolVersion = initializeRevisions.includes(requested) ? requested : initializeRevisions[0];
    const result = JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions });
    return { result, opens: "initialize" };
  }

  #discovery(): Record<string, unknown> {
    const { capabilities, instructions } = this.#lists();
    return { supportedVersions: [statelessRevision], capabilities, instructions };
  }

  /** A list with what else its result has. */
  #list({ method, params }: Request, more: Record<string, unknown>): string | undefined {
    if (params?.["cursor"] !== undefined) return undefined;
    switch (method) {
      case "tools/list": {
        const tools = toolsFor(this.#lists(), readStatelessClient(params) ?? this.#client, this.#enabled());
        const [open, close] = JSON.stringify({ tools: [], ...more }).split("[", 2) as [string, string];
        return `${open}[${tools.map((tool) => tool.json ?? JSON.stringify(tool)).join(",")}${close}`;
      }
      case "prompts/list":
        return JSON.stringify({ prompts: this.#lists().prompts, ...more });
      case "resources/list":
        return JSON.stringify({ resources: this.#lists().resources, ...more });
      case "resources/templates/list":
        return JSON.stringify({ resourceTemplates: this.#lists().resourceTemplates, ...more });
      default:
        return undefined;
    }
  }

  /** A result as the stateless revision has it. */
  stateless(result: Record<string, unknown>): Record<string, unknown> {
    return { ...result, resultType: "complete", _meta: { [serverKey]: this.#lists().serverInfo } };
  }
}

/** The era a request opens a connection in, where it is plain; a discovery opens none. */
export function eraOf(request: Request): Era | undefined {
  const claim = claimOf(request);
  if (claim === "none") return "initialize";
  return claim === "stateless" && request.method !== "server/discover" ? "stateless" : undefined;
}

/** Whether a request uses the stateless revision, an older one, or something for the SDK to decide. */
function claimOf({ params }: Request): "none" | "stateless" | "unusual" {
  const meta = params?.["_meta"];
  if (meta === undefined) return "none";
  if (!isRecord(meta)) return "unusual";
  if (!(versionKey in meta) && !(capabilitiesKey in meta)) return "none";
  const plain =
    meta[versionKey] === statelessRevision &&
    isEmptyOrPlain(meta[capabilitiesKey]) &&
    (meta[clientKey] === undefined || isClientInfo(meta[clientKey]));
  return plain ? "stateless" : "unusual";
}

function isEmptyOrPlain(capabilities: unknown): boolean {
  return isRecord(capabilities) && Object.values(capabilities).every(isRecord);
}

/** The client's name in a handshake that the SDK would accept. */
function readClientName({ params }: Request): string | undefined {
  const info = params?.["clientInfo"];
  const isComplete = typeof params?.["protocolVersion"] === "string" && isRecord(params["capabilities"]);
  return isComplete && isClientInfo(info) ? info.name : undefined;
}

/** The name in a stateless request. */
function readStatelessClient(params: Request["params"]): string | undefined {
  const meta = params?.["_meta"];
  const info = isRecord(meta) && versionKey in meta ? meta[clientKey] : undefined;
  return isClientInfo(info) ? info.name : undefined;
}

function isClientInfo(info: unknown): info is { name: string; version: string } {
  return isRecord(info) && typeof info["name"] === "string" && typeof info["version"] === "string";
}
