import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { announce, type ChangedList } from "./list-changes.ts";
import { Connection, type McpHost } from "./mcp-host.ts";
import { ResourceListeners, readListenRequest } from "./resource-listeners.ts";
import type { ResourceWatcher } from "./resource-watcher.ts";

const maxBodyBytes = 4 * 1_048_576;
const maxSessions = 128;
const idleMs = 30 * 60_000;

type Session = { transport: WebStandardStreamableHTTPServerTransport; server: Server; usedAt: number };

/**
 * MCP over streamable HTTP as one web-standard `fetch`. The stateless revision gets a server per request; older revisions
 * get a server per session, because only with a session can they be asked, subscribe and receive updates.
 */
export class McpHttp {
  readonly #host: McpHost;
  readonly #warn: (text: string) => void;
  readonly #modern: McpHttpHandler;
  readonly #sessions = new Map<string, Session>();
  readonly #watcher: ResourceWatcher;
  readonly #listeners: ResourceListeners;

  constructor(host: McpHost, warn: (text: string) => void) {
    this.#host = host;
    this.#warn = warn;
    this.#modern = createMcpHandler(() => host.createServer(), {
      legacy: "reject",
      maxRequestBodySize: maxBodyBytes,
      onerror: (error) => warn(error.message),
    });
    this.#watcher = host.watchResources((uri) => this.#modern.notify.resourceUpdated(uri));
    this.#listeners = new ResourceListeners(this.#watcher);
    host.onListsChanged((lists) => this.#announce(lists));
  }

  async fetch(request: Request): Promise<Response> {
    if (!(await hasUtf8Body(request)))
      return errorResponse(400, -32700, "Parse error: the body is not valid UTF-8. Send it encoded as UTF-8.");
    const isOlder = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes });
    if (isOlder) return this.#serveSession(request);
    if (request.headers.get("mcp-method") === "subscriptions/listen") await this.#watchListened(request);
    return this.#modern.fetch(request);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled([this.#modern.close(), ...sessions.map(({ server }) => server.close())]);
  }

  async #serveSession(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#openSession(request);
    const session = this.#sessions.get(id);
    if (!session)
      return errorResponse(
        404,
        -32001,
        "Session not found: it ended or was never opened. Start again with initialize.",
      );
    session.usedAt = Date.now();
    return session.transport.handleRequest(request);
  }

  /** A request without a session can only be an `initialize`; the transport itself refuses anything else. */
  async #openSession(request: Request): Promise<Response> {
    this.#dropIdleSessions();
    if (this.#sessions.size >= maxSessions)
      return errorResponse(503, -32000, "Too many open sessions. Close one, or try again later.");
    const server = this.#host.createServer(new Connection(randomUUID()));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, server, usedAt: Date.now() }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    transport.onerror = (error) => this.#warn(error.message);
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #announce(lists: ChangedList[]): void {
    const { notify } = this.#modern;
    const tell = { tools: notify.toolsChanged, prompts: notify.promptsChanged, resources: notify.resourcesChanged };
    for (const list of lists) tell[list].call(notify);
    for (const { server } of this.#sessions.values()) announce(server, lists);
  }

  #dropIdleSessions(): void {
    const before = Date.now() - idleMs;
    for (const [id, { usedAt, server }] of this.#sessions) {
      if (usedAt > before) continue;
      this.#sessions.delete(id);
      void server.close();
    }
  }

  async #watchListened(request: Request): Promise<void> {
    try {
      this.#listeners.add(readListenRequest(await request.clone().json()), request.signal);
    } catch {
      // Not JSON: the next handler reports it.
    }
  }
}

/** Decoding puts replacement characters for other bytes: something else would be stored than what was sent. */
async function hasUtf8Body(request: Request): Promise<boolean> {
  if (request.method !== "POST" || Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return true;
  const checked = new TextDecoder("utf-8", { fatal: true });
  let length = 0;
  try {
    for await (const chunk of request.clone().body ?? []) {
      length += chunk.byteLength;
      // The next handler refuses it.
      if (length > maxBodyBytes) return true;
      checked.decode(chunk, { stream: true });
    }
    checked.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function errorResponse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message } }, { status });
}
