import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../../platform/error-code.ts";

export type Listening = {
  url: string;
  /** At once, whatever is under way. */
  close(): Promise<void>;
  /** Takes no more connections and closes each once its request is answered; those that take longer are cut off. */
  drain(withinMs: number): Promise<void>;
};

export type Address = { host: string; port: number };

const limits = { headerBytes: 16_384, headersMs: 10_000, requestMs: 30_000, keepAliveMs: 5_000, connections: 256 };
const idleCheckMs = 20;

/** `8080`, `127.0.0.1:8080` or `localhost`; only loopback, since nobody has to prove who they are here. */
export function parseAddress(text: string | undefined, defaultPort: number): Address {
  const given = text === undefined || text === "" ? "127.0.0.1" : text.replace(/^:?(\d+)$/, "127.0.0.1:$1");
  const [, host, port] = /^(\[[0-9a-f:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(given) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) {
    throw new ForgeError("VALIDATION_ERROR", `"${text}" is not an address to serve on.`, {
      suggestions: ["Give a port (8080) or a host and a port (127.0.0.1:8080)."],
    });
  }
  if (!["127.0.0.1", "localhost", "[::1]"].includes(host)) {
    throw new ForgeError("VALIDATION_ERROR", `Forge serves on this machine only, not on "${host}".`, {
      suggestions: ["Use 127.0.0.1, localhost or [::1], with a port: 127.0.0.1:8080."],
    });
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: port === undefined ? defaultPort : Number(port) };
}

/** Listens with limits on headers, time and connections: Node's own defaults let one slow client hold a server for minutes. */
export async function listen(
  app: Hono,
  address: Address,
  orFree: boolean,
  connections = limits.connections,
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { maxHeaderSize: limits.headerBytes, connectionsCheckingInterval: 2_000 },
  }) as Server;
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  server.maxConnections = connections;
  await open(server, address).catch(async (error: unknown) => {
    if (!isBusy(error)) throw error;
    if (!orFree) {
      throw new ForgeError(
        "CONFIG_ERROR",
        `The port ${address.port} on ${address.host} is in use by another program.`,
        {
          suggestions: ["Choose another port, or 0 for any free one."],
        },
      );
    }
    await open(server, { ...address, port: 0 });
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound ? bound.port : address.port;
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}`,
    close: () => drain(server, 0),
    drain: (withinMs) => drain(server, withinMs),
  };
}

function drain(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive becomes idle when its last answer is out, which nothing tells of.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    const late = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
    if (withinMs === 0) server.closeAllConnections();
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

function isBusy(error: unknown): boolean {
  return errorCode(error) === "EADDRINUSE";
}
