import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/cli/processes.ts";
import { listenHttp } from "../harness/http/fixture-http.ts";

const mostConnections = 256;
const request = "GET /api/echo?text=hi HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

type Connection = { socket: Socket; received: string; isClosed: boolean; closed: Promise<unknown> };

async function open(port: number): Promise<Connection> {
  const socket = connect(port, "127.0.0.1");
  const connection: Connection = { socket, received: "", isClosed: false, closed: once(socket, "close") };
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    connection.received += chunk;
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    connection.isClosed = true;
  });
  await once(socket, "connect");
  return connection;
}

/** One request on a connection of its own, and all that came back. */
async function ask(port: number): Promise<string> {
  const connection = await open(port);
  connection.socket.write(request);
  await connection.closed;
  return connection.received;
}

describe("K19 one client cannot have all of the server", () => {
  test("beyond 256 connections, one that has nothing to do makes room for the next", async () => {
    const { port } = await listenHttp();
    const held = await Promise.all(Array.from({ length: mostConnections }, () => open(port)));
    onTestFinished(() => {
      for (const { socket } of held) socket.destroy();
    });
    // Each has been asked and has answered: all of them are the server's, and none was turned away.
    for (const { socket } of held) socket.write(request.replace("close", "keep-alive"));
    await eventually("all to be served", () => held.every(({ received }) => received.includes('{"said":"hi"}')));
    expect(held.filter(({ isClosed }) => isClosed)).toEqual([]);
    expect(await ask(port)).toContain('{"said":"hi"}');
    await eventually("one to be closed", () => held.some(({ isClosed }) => isClosed));
    expect(held.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  });
});

describe("K19 a body that drips after its headers", () => {
  test("is cut off, and others are served meanwhile", async () => {
    const { port } = await listenHttp();
    const slow = await open(port);
    onTestFinished(() => void slow.socket.destroy());
    slow.socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    slow.socket.write("Accept: application/json, text/event-stream\r\nContent-Length: 100000\r\n\r\n{");
    const drip = setInterval(() => slow.socket.write(" "), 500);
    onTestFinished(() => clearInterval(drip));
    expect(await ask(port)).toContain('{"said":"hi"}');
    await slow.closed;
    expect(slow.received).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(await ask(port)).toContain('{"said":"hi"}');
  });
});
