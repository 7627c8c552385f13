import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../test/harness/cli/processes.ts";
import { failureOf, serve, TestFetcher } from "../../../test/harness/http/fetching.ts";
import { Fetcher } from "./fetcher.ts";

/** Answers with what it was sent. */
const echo = () =>
  serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.setHeader("content-type", "application/json");
    response.setHeader("x-many", ["one", "two"]);
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }),
    );
  });

describe("fetcher", () => {
  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)("%s with headers, token and body", async (method) => {
    const { url } = await echo();
    const response = await new TestFetcher().ask(method, `${url}/a/b?c=d#e`, {
      headers: { "X-Thing": "1" },
      token: "abc",
      ...(method !== "GET" && { json: { grüße: "€" } }),
    });
    expect(response.json()).toMatchObject({
      method,
      url: "/a/b?c=d",
      headers: { "x-thing": "1", authorization: "Bearer abc", "user-agent": "forge" },
      body: method === "GET" ? "" : '{"grüße":"€"}',
    });
    expect([response.status, response.ok, response.headers["x-many"], response.url.pathname]).toEqual([
      200,
      true,
      "one, two",
      "/a/b",
    ]);
  });

  test("bytes as body, and none at all", async () => {
    const { url } = await echo();
    const fetcher = new TestFetcher();
    expect((await fetcher.ask("PUT", url, { body: Buffer.from("bytes") })).json()).toMatchObject({ body: "bytes" });
    expect((await fetcher.ask("POST", url)).json()).toMatchObject({ body: "", headers: { "content-length": "0" } });
  });

  test.each([204, 304])("%s has no body, and that is no error", async (status) => {
    const { url } = await serve((_request, response) => response.writeHead(status, { etag: "x" }).end());
    const response = await new TestFetcher().ask("GET", url);
    expect([response.status, response.bytes().length, response.headers["etag"]]).toEqual([status, 0, "x"]);
  });

  test("HEAD of something large and packed", async () => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { "content-length": "99999999", "content-encoding": "gzip" }).end(),
    );
    const response = await new TestFetcher().ask("HEAD", url);
    expect([response.bytes().length, response.headers["content-length"]]).toEqual([0, "99999999"]);
  });

  test("packed answers are unpacked, empty ones too", async () => {
    const { url } = await serve((request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(request.url === "/empty" ? "" : gzipSync("hello")),
    );
    const fetcher = new TestFetcher();
    expect((await fetcher.ask("GET", url)).text()).toBe("hello");
    expect((await fetcher.ask("GET", `${url}/empty`)).text()).toBe("");
  });

  test("the limit is what it says", async () => {
    const { url } = await serve((_request, response) => response.end("12345"));
    const fetcher = new TestFetcher();
    expect((await fetcher.ask("GET", url, { maxBytes: 5 })).text()).toBe("12345");
    expect(await failureOf(fetcher.ask("GET", url, { maxBytes: 4 }))).toMatchObject({
      details: { reason: "too-large", maxBytes: 4 },
    });
  });

  test("a token that cannot be a header is refused, and not shown", async () => {
    const { url } = await echo();
    const error = await failureOf(new TestFetcher().ask("GET", url, { token: "abc\r\nx: y" }));
    expect(error.code).toBe("VALIDATION_ERROR");
    expect(JSON.stringify(error.toBody())).not.toContain("abc");
  });

  test("K36 connections are kept for GET, never used twice for POST, and survive a restart of the server", async () => {
    const ports = new Set<number | undefined>();
    let open = 0;
    const listener = (
      request: { socket: { remotePort?: number | undefined } },
      response: { end(text: string): void },
    ) => {
      ports.add(request.socket.remotePort);
      response.end("x");
    };
    const first = await serve(listener);
    const fetcher = new TestFetcher();
    for (let round = 0; round < 3; round++) await fetcher.ask("GET", first.url);
    expect(ports.size).toBe(1);
    for (let round = 0; round < 3; round++) await fetcher.ask("POST", first.url);
    expect(ports.size).toBe(4);
    await first.stop();
    const second = createServer(listener).listen(first.port, "127.0.0.1");
    second.on("connection", (socket) => {
      open++;
      socket.on("close", () => open--);
    });
    try {
      expect((await fetcher.ask("GET", first.url)).text()).toBe("x");
      fetcher.close();
      await eventually("every connection to be closed", () => open === 0);
      expect(await failureOf(fetcher.ask("GET", first.url))).toMatchObject({ code: "CANCELLED" });
    } finally {
      second.closeAllConnections();
      second.close();
    }
  });

  test("K36 proxies of the environment are not used, and a failure says so", async () => {
    const { url, stop } = await serve((_request, response) => response.end("direct"));
    const before = { ...process.env };
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"])
      process.env[name] = "http://127.0.0.1:1";
    try {
      const fetcher = new TestFetcher();
      expect((await fetcher.ask("GET", url)).text()).toBe("direct");
      await stop();
      expect((await failureOf(fetcher.ask("GET", url))).next?.join()).toMatch(/proxy/);
    } finally {
      for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"]) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test("a name whose lookup never ends is given up in time, and at once on abort", async () => {
    const never = { resolve: () => new Promise<never>(() => undefined) };
    const slow = new TestFetcher({}, { ...never, limits: { connectMs: 100 } });
    const error = await failureOf(slow.request("GET", "https://slow.test", { attempts: 1 }));
    expect(error).toMatchObject({
      message: "slow.test did not accept a connection within 100 ms.",
      details: { reason: "timeout" },
    });
    const controller = new AbortController();
    const work = failureOf(
      new TestFetcher({}, never).request("GET", "https://slow.test", { signal: controller.signal }),
    );
    setImmediate(() => controller.abort());
    expect((await work).code).toBe("CANCELLED");
  });

  test("where one address does not answer the next one is tried", async () => {
    const { port } = await serve((_request, response) => response.end("second"));
    const fetcher = new TestFetcher({ localhost: ["127.77.77.77", "::1", "127.0.0.1"] });
    expect((await fetcher.ask("GET", `http://localhost:${port}`)).text()).toBe("second");
  });

  test("K36 a server that speaks only IPv6", async ({ skip }) => {
    const server = createServer((_request, response) => response.end("six")).listen(0, "::1");
    const started = await Promise.race([
      once(server, "listening").then(() => true),
      once(server, "error").then(() => false),
    ]);
    skip(!started, "this machine has no IPv6 loopback: enable IPv6");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const fetcher = new TestFetcher({ localhost: ["::1"] });
    for (const host of ["[::1]", "localhost"]) {
      expect((await fetcher.ask("GET", `http://${host}:${port}`)).text()).toBe("six");
    }
    fetcher.close();
    server.close();
  });

  test("abort ends a real pause", async () => {
    let asked = 0;
    const { url } = await serve((_request, response) => {
      asked++;
      response.writeHead(503, { "retry-after": "20" }).end(() => setImmediate(() => controller.abort()));
    });
    const controller = new AbortController();
    const fetcher = new Fetcher({ log: () => undefined });
    const work = fetcher.request("GET", url, { allowPrivate: [url], signal: controller.signal });
    expect((await failureOf(work)).code).toBe("CANCELLED");
    expect(asked).toBe(1);
    fetcher.close();
  });

  test("a connection that is kept does not keep the process", async () => {
    const { url } = await serve((_request, response) => response.end("bye"));
    const script = `
      import { Fetcher } from ${JSON.stringify(new URL("./fetcher.ts", import.meta.url).href)};
      const fetcher = new Fetcher({ log: () => undefined });
      const response = await fetcher.request("GET", process.argv[1], { allowPrivate: [process.argv[1]] });
      process.stdout.write(response.text());`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script, url],
      { timeout: 30_000 },
    );
    expect(stdout).toBe("bye");
  });

  test("names are really looked up where nobody says otherwise", async () => {
    const { port } = await serve((_request, response) => response.end("here"));
    const fetcher = new Fetcher({ log: () => undefined });
    const url = `http://localhost:${port}`;
    expect((await fetcher.request("GET", url, { allowPrivate: [url] })).text()).toBe("here");
    fetcher.close();
  });
});
