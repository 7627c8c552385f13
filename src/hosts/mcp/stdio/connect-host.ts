import { randomUUID } from "node:crypto";
import type { Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { announce } from "../lists/list-changes.ts";
import { Connection, type McpHost } from "../mcp-host.ts";
import { ConnectionListeners, ResourceListeners } from "../resources/resource-listeners.ts";

/** Connects the SDK to a connection's transport. In a module of its own, since loading it loads the SDK. */
export function connectHost(host: McpHost, transport: Transport, warn: (text: string) => void): Connection {
  let server: Server | undefined;
  const connection = new Connection(randomUUID());
  const watcher = host.watchResources((uri) => void server?.sendResourceUpdated({ uri }).catch(() => {}));
  const listeners = new ConnectionListeners(new ResourceListeners(watcher));
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    listeners.noteSent(message);
    return send(message, options);
  };
  const createServer = () => {
    server = host.createServer(connection);
    return server;
  };
  serveStdio(createServer, { transport, onerror: (error) => warn(error.message) });
  host.onListsChanged((lists) => server && announce(server, lists));
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    listeners.noteReceived(message);
    deliver?.(message);
  };
  return connection;
}
