import { listCaching, type McpLists, toolsFor } from "../lists.ts";
import type { Request } from "./envelope.ts";

/** Revisions that open with `initialize`, newest first. */
const initializeRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
/** The first revision without sessions; every request names it. */
const statelessRevision = "2026-07-28";

const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const clientKey = "io.modelcontextprotocol/clientInfo";
const serverKey = "io.modelcontextprotocol/serverInfo";

export type Era = "initialize" | "stateless";

/** The front's own answer, and whether the SDK must see the request too (its opening decides the connection's era). */
export type Greeting = { result: Record<string, unknown>; opens: Era | undefined };

/**
 * Answers the handshake and the lists from data, before the SDK is loaded: a client that starts a server per window waits
 * for these and nothing else. Only requests of the plainest form are answered here; whatever is unusual is left to the SDK.
 * A test holds these answers equal to the SDK's.
 */
export class Greeter {
  readonly #lists: () => McpLists;
  readonly #enabled: () => ReadonlySet<string>;
  /** What the client of the handshake called itself. */
  #client: string | undefined;

  constructor(lists: () => McpLists, enabled: () => ReadonlySet<string>) {
    this.#lists = lists;
    this.#enabled = enabled;
  }

  answer(request: Request, era: Era | undefined): Greeting | undefined {
    const claim = claimOf(request);
    if (request.method === "initialize" && era !== "stateless") this.#client = introductionIn(request) ?? this.#client;
    if (claim === "unusual") return undefined;
    if (claim === "stateless") {
      if (era === "initialize") return undefined;
      const result = request.method === "server/discover" ? this.#discovery() : this.#list(request);
      if (!result) return undefined;
      const opens = request.method === "server/discover" ? undefined : "stateless";
      return { result: this.stateless({ ...result, ...listCaching }), opens };
    }
    if (era === "stateless") return undefined;
    if (request.method === "initialize") return era === undefined ? this.#initialization(request) : undefined;
    const result = this.#list(request);
    return result && { result, opens: "initialize" };
  }

  #initialization({ params }: Request): Greeting | undefined {
    const requested = params?.["protocolVersion"];
    if (typeof requested !== "string" || !isObject(params?.["capabilities"]) || !isClientInfo(params?.["clientInfo"])) {
      return undefined;
    }
    const { capabilities, serverInfo, instructions } = this.#lists();
    const protocolVersion = initializeRevisions.includes(requested) ? requested : initializeRevisions[0];
    return { result: { protocolVersion, capabilities, serverInfo, instructions }, opens: "initialize" };
  }

  #discovery(): Record<string, unknown> {
    const { capabilities, instructions } = this.#lists();
    return { supportedVersions: [statelessRevision], capabilities, instructions };
  }

  #list({ method, params }: Request): Record<string, unknown> | undefined {
    if (params?.["cursor"] !== undefined) return undefined;
    switch (method) {
      case "tools/list":
        return { tools: toolsFor(this.#lists(), clientIn(params) ?? this.#client, this.#enabled()) };
      case "prompts/list":
        return { prompts: this.#lists().prompts };
      case "resources/list":
        return { resources: this.#lists().resources };
      case "resources/templates/list":
        return { resourceTemplates: this.#lists().resourceTemplates };
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

/** Whether a request speaks the stateless revision, an older one, or something the SDK had better judge. */
function claimOf({ params }: Request): "none" | "stateless" | "unusual" {
  const meta = params?.["_meta"];
  if (meta === undefined) return "none";
  if (!isObject(meta)) return "unusual";
  if (!(versionKey in meta) && !(capabilitiesKey in meta)) return "none";
  const plain =
    meta[versionKey] === statelessRevision &&
    isEmptyOrPlain(meta[capabilitiesKey]) &&
    (meta[clientKey] === undefined || isClientInfo(meta[clientKey]));
  return plain ? "stateless" : "unusual";
}

function isEmptyOrPlain(capabilities: unknown): boolean {
  return isObject(capabilities) && Object.values(capabilities).every(isObject);
}

/** The name in a handshake that the SDK would take, plain or not. */
function introductionIn({ params }: Request): string | undefined {
  const info = params?.["clientInfo"];
  const isComplete = typeof params?.["protocolVersion"] === "string" && isObject(params["capabilities"]);
  return isComplete && isClientInfo(info) ? info.name : undefined;
}

/** The name in a stateless request. */
function clientIn(params: Request["params"]): string | undefined {
  const meta = params?.["_meta"];
  const info = isObject(meta) && versionKey in meta ? meta[clientKey] : undefined;
  return isClientInfo(info) ? info.name : undefined;
}

function isClientInfo(info: unknown): info is { name: string; version: string } {
  return isObject(info) && typeof info["name"] === "string" && typeof info["version"] === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
