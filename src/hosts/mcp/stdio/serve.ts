import { randomUUID } from "node:crypto";
import type { Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { announce } from "../list-changes.ts";
import { listenedResources } from "../listening.ts";
import type { McpHost } from "../server.ts";

/** Connects the SDK to a connection's transport. In a module of its own: loading it loads the SDK. */
export function connectHost<Services>(
  host: McpHost<Services>,
  transport: Transport,
  warn: (text: string) => void,
): void {
  let server: Server | undefined;
  const instance = randomUUID();
  const watching = host.watching((uri) => void server?.sendResourceUpdated({ uri }).catch(() => {}));
  const createServer = () => {
    server = host.createServer(instance);
    return server;
  };
  serveStdio(createServer, { transport, onerror: (error) => warn(error.message) });
  host.onListsChanged((lists) => server && announce(server, lists));
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    for (const uri of listenedResources(message)) watching.watch(uri);
    deliver?.(message);
  };
}
