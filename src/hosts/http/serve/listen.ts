import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../../platform/host/error-code.ts";
import { Connections } from "./connections.ts";
import { listenError } from "./listen-errors.ts";
import { limitOpenRequests } from "./request-queue.ts";
import { answerUnreadRequests } from "./unread-requests.ts";

export type HttpListener = {
  url: string;
  /** The same with the address that it listens on in place of a name. */
  addressUrl: string;
  port: number;
  /** On all addresses of the machine, so that `url` is not one to give to people. */
  everywhere: boolean;
  /** At once, whatever is under way. */
  close(): Promise<void>;
  /**
   * Serves a moment longer, so that requests on their way are answered and clients learn that their connections end. Then
   * accepts no more connections, and closes each once its request is answered. Those that take longer are cut off.
   */
  drain(withinMs: number): Promise<void>;
};

export type Address = { host: string; port: number };

const limits = { headerBytes: 16_384, headersMs: 10_000, requestMs: 30_000, keepAliveMs: 5_000 };
const graceMs = 500;
const lookMs = 20;

/** How many connections there may be, in all and from one address. */
export type ConnectionLimits = {
  all: number;
  each: number;
  /** A connection on which nothing is sent for so long is closed, whoever has to send something. Default: never. */
  silentMs?: number;
};

const defaultConnections: ConnectionLimits = { all: 256, each: 256 };

/** `8080`, `127.0.0.1:8080` or `localhost`. Only loopback, since callers do not sign in here. */
export function parseAddress(text: string | undefined, defaultPort: number): Address {
  const given = text === undefined || text === "" ? "127.0.0.1" : text.replace(/^:?(\d+)$/, "127.0.0.1:$1");
  const [, host, port] = /^(\[[0-9a-f:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(given) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) {
    throw new ForgeError("VALIDATION_ERROR", `"${text}" is not an address to serve on.`, {
      next: ["Use a port (8080), or a host and a port (127.0.0.1:8080)."],
    });
  }
  if (!["127.0.0.1", "localhost", "[::1]"].includes(host)) {
    throw new ForgeError("VALIDATION_ERROR", `Forge only serves on this machine, not on "${host}".`, {
      next: ["Use 127.0.0.1, localhost or [::1], with a port: 127.0.0.1:8080."],
    });
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: port === undefined ? defaultPort : Number(port) };
}

/** Listens with limits on headers, time and connections: with Node's defaults a slow client can block a server for minutes. */
export async function listen(
  app: Hono,
  address: Address,
  orFree: boolean,
  connectionLimits: ConnectionLimits = defaultConnections,
): Promise<HttpListener> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { maxHeaderSize: limits.headerBytes, connectionsCheckingInterval: 2_000 },
  }) as Server;
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  server.setTimeout(connectionLimits.silentMs ?? 0);
  answerUnreadRequests(server);
  limitOpenRequests(server);
  const connections = new Connections(server, connectionLimits);
  await open(server, address).catch(async (error: unknown) => {
    if (!orFree || errorCode(error) !== "EADDRINUSE") throw listenError(error, address);
    await open(server, { ...address, port: 0 });
  });
  const bound = server.address();
  const { port, address: where } = typeof bound === "object" && bound ? bound : { ...address, address: address.host };
  const urlAt = (host: string) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    url: urlAt(address.host),
    addressUrl: urlAt(where),
    port,
    everywhere: where === "0.0.0.0" || where === "::",
    close: () => closeNow(server),
    drain: (withinMs) => drain(server, connections, withinMs),
  };
}

function closeNow(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function drain(server: Server, connections: Connections, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const graceEnd = performance.now() + graceMs;
    let takes = true;
    const stopTaking = () => {
      if (!takes) return;
      takes = false;
      server.close(() => {
        clearInterval(look);
        clearTimeout(late);
        resolve();
      });
    };
    // A kept-alive connection becomes idle when its last response is sent, and there is no event for that.
    const look = setInterval(() => {
      if (connections.count > 0 && performance.now() < graceEnd) return;
      stopTaking();
      server.closeIdleConnections();
      connections.closeSilent();
    }, lookMs);
    const late = setTimeout(() => {
      stopTaking();
      server.closeAllConnections();
    }, withinMs);
  });
}

function open(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
