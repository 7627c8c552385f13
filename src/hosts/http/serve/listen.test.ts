import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { listenHttp } from "../../../../test/harness/http/fixture-http.ts";
import { listen, parseAddress } from "./listen.ts";
import { listenError } from "./listen-errors.ts";

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

const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

async function statusOf(port: number): Promise<string | undefined> {
  const { socket, received, closed } = await open(port);
  socket.write(request);
  await closed;
  return received().split(" ")[1];
}

function bodyIn(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
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
      expect(() => parseAddress(text, 7717)).toThrow(/only serves on this machine/);
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
    await expect(listen(new Hono(), { host: "127.0.0.1", port }, false)).rejects.toThrow(`Port ${port}`);
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
    expect(bodyIn(received())).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("headers") });
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
    expect(bodyIn(slow.received())).toMatchObject({ code: "VALIDATION_ERROR", error: true });
  });

  test("K19 a connection that sends many requests without reading answers is closed, and few of them are answered", async () => {
    let answered = 0;
    const app = new Hono();
    app.get("/", async (context) => {
      answered++;
      return context.text("x".repeat(1_000));
    });
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(() => listening.close());
    const greedy = await open(listening.port);
    greedy.socket.pause();
    greedy.socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1_000));
    greedy.socket.resume();
    await greedy.closed;
    expect(answered).toBeLessThan(100);
    expect(await statusOf(listening.port)).toBe("200");
  });

  test("requests that are sent one after another on one connection are all answered", async () => {
    const app = new Hono();
    app.get("/", (context) => context.text("here"));
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
    onTestFinished(() => listening.close());
    const { socket, received } = await open(listening.port);
    for (let sent = 1; sent <= 50; sent++) {
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await vi.waitFor(() => expect(received().split("here")).toHaveLength(sent + 1), { interval: 2 });
    }
  });

  test("K19 a client that never reads its answer loses its connection", async () => {
    let served: Socket | undefined;
    const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>();
    app.get("/", (context) => {
      served = context.env.incoming.socket;
      return context.body("x".repeat(50_000_000));
    });
    const limits = { all: 10, each: 10, silentMs: 200 };
    const listening = await listen(app as unknown as Hono, { host: "127.0.0.1", port: 0 }, false, limits);
    onTestFinished(() => listening.close());
    const { socket } = await open(listening.port);
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await vi.waitFor(() => expect(served?.destroyed).toBe(true), { timeout: 4_000 });
  });

  test.each(["nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "\u0016\u0003\u0001"])(
    "what is no HTTP is answered 400 as every error is: %j",
    async (text) => {
      const { port } = await listenHttp();
      const { socket, received, closed } = await open(port);
      socket.end(text);
      await closed;
      expect(received()).toMatch(/^HTTP\/1\.1 400 /);
      expect(bodyIn(received())).toMatchObject({ code: "VALIDATION_ERROR", suggestions: [expect.any(String)] });
    },
  );

  /** A server with room for two, which answers `/wait` when it is told to. */
  async function listenForTwo() {
    const answers: (() => void)[] = [];
    const app = new Hono();
    app.get(
      "/wait",
      (context) => new Promise<Response>((resolve) => answers.push(() => resolve(context.text("here")))),
    );
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false, { all: 100, each: 2 });
    onTestFinished(() => listening.close());
    const keepAlive = request.replace("Connection: close\r\n", "");
    const ask = async (path: string) => {
      const connection = await open(listening.port);
      connection.socket.write(keepAlive.replace("/", path));
      return connection;
    };
    const use = async () => {
      const connection = await ask("/");
      await vi.waitFor(() => expect(connection.received()).toMatch(/^HTTP\/1\.1 404 /), 5_000);
      return connection;
    };
    return { port: listening.port, answers, ask, use, keepAlive };
  }

  test("K19 one address has so many connections, and again when some are closed", async () => {
    const { port, answers, ask } = await listenForTwo();
    const [first, second] = [await ask("/wait"), await ask("/wait")];
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    // Both are being answered: neither gives way.
    await (await open(port)).closed;
    first.socket.destroy();
    await vi.waitFor(async () => expect(await statusOf(port)).toBe("404"), 5_000);
    for (const answer of answers) answer();
    await vi.waitFor(() => expect(second.received()).toMatch(/^HTTP\/1\.1 200 /));
  });

  test("K19 connections that only look used hold no place: the one that had nothing to do for longest gives way", async () => {
    const { port, answers, ask, use, keepAlive } = await listenForTwo();
    const [first, second] = [await use(), await use()];
    first.socket.write(keepAlive);
    await vi.waitFor(() => expect(first.received().match(/HTTP\/1\.1 404 /g)).toHaveLength(2));
    await ask("/wait");
    await second.closed;
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    expect(await statusOf(port)).toBe("404");
    await first.closed;
  });

  test("K19 a connection whose answers nobody reads holds no place", async () => {
    const app = new Hono();
    app.get("/", (context) => context.text("ok"));
    app.get("/long", (context) => context.body("x".repeat(50_000_000)));
    const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false, { all: 2, each: 2 });
    onTestFinished(() => listening.close());
    for (let count = 0; count < 2; count++) {
      const { socket } = await open(listening.port);
      socket.write("GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await once(socket, "data");
      socket.pause();
    }
    expect(await statusOf(listening.port)).toBe("200");
  });

  test("K19 a connection that says nothing is closed without a word", async () => {
    const { port } = await listenHttp();
    const { received, closed } = await open(port);
    await closed;
    expect(received()).toBe("");
  });

  test.each([
    ["EADDRINUSE", "in use"],
    ["EADDRNOTAVAIL", "not an address of this machine"],
    ["EAFNOSUPPORT", "not an address of this machine"],
    ["EACCES", "not allowed to listen on port 80"],
    ["ENOTFOUND", "was not found"],
    ["EAI_AGAIN", "was not found"],
    ["EINVAL", "cannot listen on"],
  ])("%s is said in words, with what to do", (code, words) => {
    const error = listenError(Object.assign(new Error("listen"), { code }), { host: "forge.example", port: 80 });
    expect(error).toMatchObject({ code: "CONFIG_ERROR", next: [expect.any(String)] });
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).toContain("forge.example");
  });

  test("what else goes wrong when it listens stays as it is", () => {
    const fault = new Error("out of memory");
    expect(listenError(fault, { host: "127.0.0.1", port: 80 })).toBe(fault);
  });

  test("closing ends open connections too", async () => {
    const listening = await listen(new Hono(), { host: "127.0.0.1", port: 0 }, false);
    const idle = await open(Number(new URL(listening.url).port));
    await listening.close();
    await idle.closed;
  });
});
