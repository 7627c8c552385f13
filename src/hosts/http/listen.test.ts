import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenHttp } from "../../../test/harness/fixture-http.ts";
import { listen, parseAddress } from "./listen.ts";

/** A connection with nothing between the test and its bytes. */
async function open(port: number): Promise<{ socket: Socket; received(): string; closed: Promise<unknown> }> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  return { socket, received: () => text, closed: once(socket, "close") };
}

describe("addresses", () => {
  test.each([
    [undefined, { host: "127.0.0.1", port: 7717 }],
    ["", { host: "127.0.0.1", port: 7717 }],
    ["8080", { host: "127.0.0.1", port: 8080 }],
    [":8080", { host: "127.0.0.1", port: 8080 }],
    ["localhost", { host: "localhost", port: 7717 }],
    ["127.0.0.1:0", { host: "127.0.0.1", port: 0 }],
    ["[::1]:8080", { host: "::1", port: 8080 }],
  ])("%s is understood", (text, address) => {
    expect(parseAddress(text, 7717)).toEqual(address);
  });

  test.each(["0.0.0.0", "0.0.0.0:8080", "[::]:8080", "192.168.1.5:80", "example.org:80", "127.0.0.2:80"])(
    "K10 %s is not this machine alone, and refused",
    (text) => {
      expect(() => parseAddress(text, 7717)).toThrow(/this machine only/);
    },
  );

  test.each(["localhost:99999", "http://localhost:80", "a:b:c", "::1", "localhost:", "127.0.0.1:80/x"])(
    "%s is no address",
    (text) => {
      expect(() => parseAddress(text, 7717)).toThrow(/not an address/);
    },
  );
});

describe("listening", () => {
  test("a busy port is refused by name, or another taken where any will do", async () => {
    const { port } = await listenHttp();
    await expect(listen(new Hono(), { host: "127.0.0.1", port }, false)).rejects.toThrow(`port ${port}`);
    const other = await listen(new Hono(), { host: "127.0.0.1", port }, true);
    expect(other.url).not.toContain(`:${port}`);
    await other.close();
  });

  test("K18 headers over 16 KiB are refused", async () => {
    const { port } = await listenHttp();
    const { socket, received, closed } = await open(port);
    socket.write(`GET /api/echo?text=x HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("K18 a body without an announced length is refused once it is too long", async () => {
    const { port } = await listenHttp();
    const { socket, received, closed } = await open(port);
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    socket.write("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
    for (let sent = 0; sent < 6; sent++) socket.write(`100000\r\n${" ".repeat(1_048_576)}\r\n`);
    socket.write("0\r\n\r\n");
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a request with two hosts, or none, is refused", async () => {
    const { port } = await listenHttp();
    for (const hosts of ["Host: localhost\r\nHost: evil.example\r\n", ""]) {
      const { socket, received, closed } = await open(port);
      socket.write(`GET /api/echo?text=x HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      await closed;
      expect(received()).toMatch(/^HTTP\/1\.1 40[03] /);
    }
  });

  test("K19 headers that drip are cut off, and others are served meanwhile", async () => {
    const { port } = await listenHttp();
    const slow = await open(port);
    slow.socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
    const drip = setInterval(() => slow.socket.write("X-Drip: 1\r\n"), 500);
    onTestFinished(() => clearInterval(drip));
    const healthy = await open(port);
    healthy.socket.write("GET /api/echo?text=hi HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await healthy.closed;
    expect(healthy.received()).toContain('{"said":"hi"}');
    await slow.closed;
    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("closing ends open connections too", async () => {
    const listening = await listen(new Hono(), { host: "127.0.0.1", port: 0 }, false);
    const idle = await open(Number(new URL(listening.url).port));
    await listening.close();
    await idle.closed;
  });
});
