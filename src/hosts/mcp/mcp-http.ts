import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type BodyFault, type BodyIds, type RequestId, readBody } from "./http-body.ts";
import { announce, type ChangedList } from "./lists/list-changes.ts";
import { Connection, type McpHost } from "./mcp-host.ts";
import { shortenError } from "./message-limits.ts";
import { ResourceListeners, readListenRequest } from "./resources/resource-listeners.ts";
import type { ResourceWatcher } from "./resources/resource-watcher.ts";

const maxBodyBytes = 4 * 1_048_576;
const maxSessions = 128;
const idleMs = 30 * 60_000;
/** When all are taken, one that was unused for this long may end for a new one; one that only opened, sooner. */
const evictableMs = 60_000;
const unusedMs = 5_000;

type Session = {
  transport: WebStandardStreamableHTTPServerTransport;
  server: Server;
  usedAt: number;
  requests: number;
  /** The ids of requests that have no answer yet. */
  running: Set<RequestId>;
};

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
    this.#modern = createMcpHandler(() => withShortErrors(host.createServer()), {
      legacy: "reject",
      maxRequestBodySize: maxBodyBytes,
      onerror: (error) => warn(error.message),
    });
    this.#watcher = host.watchResources((uri) => this.#modern.notify.resourceUpdated(uri));
    this.#listeners = new ResourceListeners(this.#watcher);
    host.onListsChanged((lists) => this.#announce(lists));
  }

  async fetch(request: Request): Promise<Response> {
    const body = await readBody(request, maxBodyBytes);
    if ("fault" in body) return faultResponse(body.fault);
    const isOlder = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes });
    if (isOlder) return this.#serveSession(request, body);
    if (request.headers.get("mcp-method") === "subscriptions/listen") return this.#listen(request);
    return this.#modern.fetch(request);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled([this.#modern.close(), ...sessions.map(({ server }) => server.close())]);
  }

  async #serveSession(request: Request, { ids, cancelled }: BodyIds): Promise<Response> {
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
    session.requests++;
    // Answers are told apart by their ids alone. Without the id: with it, this would be taken for the first one's answer.
    if (new Set(ids).size < ids.length || ids.some((one) => session.running.has(one)))
      return errorResponse(
        400,
        -32600,
        "Invalid request: a request with this id is still being served. Use a new id for each request.",
      );
    for (const one of cancelled) session.running.delete(one as RequestId);
    for (const one of ids) session.running.add(one);
    const response = await session.transport.handleRequest(request);
    // What the transport itself refuses is never answered by the server.
    if (!response.ok) for (const one of ids) session.running.delete(one);
    return response;
  }

  /** A request without a session can only be an `initialize`; the transport itself refuses anything else. */
  async #openSession(request: Request): Promise<Response> {
    this.#dropIdleSessions();
    if (this.#sessions.size >= maxSessions && !this.#evictSession())
      return errorResponse(503, -32000, "Too many open sessions. Close one, or try again later.", {
        "retry-after": String(Math.ceil(evictableMs / 1_000)),
      });
    const running = new Set<RequestId>();
    const server = withShortErrors(this.#host.createServer(new Connection(randomUUID())), (id) => running.delete(id));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) =>
        void this.#sessions.set(id, { transport, server, usedAt: Date.now(), requests: 0, running }),
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

  /** Makes room for a new session: the one that was unused the longest ends, first those that were never used at all. */
  #evictSession(): boolean {
    const now = Date.now();
    const idle = [...this.#sessions].filter(
      ([, { usedAt, requests }]) => now - usedAt >= (requests > 0 ? evictableMs : unusedMs),
    );
    const [first] = idle.sort(
      ([, a], [, b]) => Math.min(a.requests, 1) - Math.min(b.requests, 1) || a.usedAt - b.usedAt,
    );
    if (!first) return false;
    const [id, { server }] = first;
    this.#sessions.delete(id);
    void server.close();
    return true;
  }

  #dropIdleSessions(): void {
    const before = Date.now() - idleMs;
    for (const [id, { usedAt, server }] of this.#sessions) {
      if (usedAt > before) continue;
      this.#sessions.delete(id);
      void server.close();
    }
  }

  async #listen(request: Request): Promise<Response> {
    const refused = new AbortController();
    try {
      const gone = AbortSignal.any([request.signal, refused.signal]);
      this.#listeners.add(readListenRequest(await request.clone().json()), gone);
    } catch {
      // Not JSON: the next handler reports it.
    }
    const response = await this.#modern.fetch(request);
    // What is answered at once opens no stream, whose end would end the watch.
    if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) refused.abort();
    return response;
  }
}

/** Cuts long texts out of the errors that a server sends, and tells which requests it has answered. */
function withShortErrors(server: Server, onAnswered: (id: RequestId) => void = () => undefined): Server {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if ("id" in message && !("method" in message) && message.id !== undefined) onAnswered(message.id);
      return send(shortenError(message), options);
    };
    return connect(transport);
  };
  return server;
}

function faultResponse({ id, ...error }: BodyFault): Response {
  return Response.json({ jsonrpc: "2.0", ...(id !== undefined && { id }), error }, { status: 400 });
}

function errorResponse(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message } }, { status, headers });
}
