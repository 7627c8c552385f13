import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ChaosProxy, type Fault, httpAnswer, jsonAnswer } from "../harness/chaos-proxy.ts";
import { failureOf, serve, TestFetcher } from "../harness/fetching.ts";
import { eventually } from "../harness/processes.ts";

const secret = "s3cret-in-the-query";
const limits = { connectMs: 2_000, headersMs: 300, chunkMs: 300 };
const megabyte = 1024 * 1024;
const zeros = Buffer.alloc(16 * megabyte);
const good = jsonAnswer({ hello: "world", padding: "x".repeat(2_000) });
const packed = (encoding: string, body: Uint8Array) => httpAnswer(200, { "content-encoding": encoding }, body);
const gzipped = gzipSync(JSON.stringify({ hello: "x".repeat(500) }));
const html = httpAnswer(200, { "content-type": "text/html" }, "<!doctype html><title>Sign in</title>");
const endlessHead = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";

type Case = [name: string, fault: Fault, reason: string, words: RegExp];

const cases: Case[] = [
  ["silence", { delayMs: Number.POSITIVE_INFINITY }, "timeout", /did not begin to answer within 300 ms/],
  [
    "headers that drip for ever",
    { answer: `HTTP/1.1 200 OK\r\nx: ${"y".repeat(500)}`, dripMs: 20 },
    "timeout",
    /begin to answer/,
  ],
  ["a body that stalls", { answer: good.subarray(0, 600), stall: true }, "timeout", /did not go on answering/],
  ["a body that drips too long", { answer: good, dripMs: 20, dripFrom: 500 }, "timeout", /did not answer in full/],
  ["a reset before the answer", { answer: good, resetAt: 0 }, "cut-off", /was cut off/],
  ["a reset in the headers", { answer: good, resetAt: 30 }, "cut-off", /was cut off/],
  ["a reset in mid-body", { answer: good, resetAt: 1_000 }, "cut-off", /was cut off/],
  ["a close before the answer", { answer: good, truncateAt: 0 }, "cut-off", /was cut off/],
  ["a truncated body", { answer: good, truncateAt: 1_000 }, "cut-off", /was cut off/],
  [
    "a content-length that is too long",
    { answer: httpAnswer(200, { "content-length": "99" }, "{}") },
    "cut-off",
    /was cut off/,
  ],
  [
    "a chunked body that ends in the middle",
    { answer: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab" },
    "cut-off",
    /was cut off/,
  ],
  [
    "a broken chunk",
    { answer: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab" },
    "garbled",
    /is not HTTP/,
  ],
  [
    "two lengths",
    { answer: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc" },
    "garbled",
    /is not HTTP/,
  ],
  [
    "length and chunks at once",
    { answer: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\nab" },
    "garbled",
    /is not HTTP/,
  ],
  ["a garbled head", { answer: good, garbleAt: 2 }, "garbled", /is not HTTP/],
  ["another protocol", { answer: "220 mail.example ESMTP\r\n" }, "garbled", /is not HTTP/],
  [
    "a change of protocol",
    { answer: "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n" },
    "garbled",
    /another protocol/,
  ],
  ["large headers", { answer: httpAnswer(200, { x: "y".repeat(40_000) }) }, "too-large", /headers .* too large/],
  [
    "endless headers",
    { answer: "HTTP/1.1 200 OK\r\n", endless: `x: ${"y".repeat(1_000)}\r\n` },
    "too-large",
    /headers .* too large/,
  ],
  [
    "endless interim answers",
    { answer: "", endless: "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" },
    "timeout",
    /begin to answer|answer in full/,
  ],
  [
    "an endless body",
    { answer: endlessHead, endless: "[".repeat(50_000) },
    "too-large",
    /larger than the 1048576 bytes/,
  ],
  [
    "a length over the limit",
    { answer: httpAnswer(200, { "content-length": "1073741824" }), stall: true },
    "too-large",
    /larger/,
  ],
  ["a gzip bomb", { answer: packed("gzip", gzipSync(zeros)) }, "too-large", /larger/],
  ["a deflate bomb", { answer: packed("deflate", deflateSync(zeros)) }, "too-large", /larger/],
  ["a brotli bomb", { answer: packed("br", brotliCompressSync(zeros)) }, "too-large", /larger/],
  [
    "endless gzip that unpacks to nothing",
    {
      answer: "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n",
      endless: Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync(""))),
    },
    "too-large",
    /larger/,
  ],
  [
    "truncated gzip",
    { answer: packed("gzip", gzipped.subarray(0, gzipped.length - 12)) },
    "cut-off",
    /ends in the middle/,
  ],
  [
    "truncated brotli",
    { answer: packed("br", brotliCompressSync(gzipped).subarray(0, 20)) },
    "cut-off",
    /ends in the middle/,
  ],
  ["garbled gzip", { answer: packed("gzip", Buffer.from("this is not gzip")) }, "garbled", /cannot be unpacked/],
  [
    "garbled brotli",
    { answer: packed("br", Buffer.from("this is not brotli at all")) },
    "garbled",
    /cannot be unpacked/,
  ],
  ["gzip in gzip", { answer: packed("gzip, gzip", gzipSync(gzipped)) }, "garbled", /encoding that was not asked for/],
  ["a web page", { answer: html }, "not-json", /is a web page \(status 200\)/],
  [
    "truncated JSON",
    { answer: httpAnswer(200, { "content-type": "application/json" }, '{"a": [1, 2') },
    "not-json",
    /damaged/,
  ],
  [
    "JSON that is no UTF-8",
    { answer: httpAnswer(200, {}, Buffer.from([0x22, 0xff, 0xfe, 0x22])) },
    "not-json",
    /damaged/,
  ],
  ["nothing at all", { answer: httpAnswer(200) }, "not-json", /is empty/],
  ["a redirect loop", { answer: httpAnswer(302, { location: "/again" }) }, "redirect", /in circles/],
  [
    "a redirect to a file",
    { answer: httpAnswer(302, { location: "file:///etc/passwd" }) },
    "redirect",
    /neither https: nor http:/,
  ],
  ["a redirect to nowhere", { answer: httpAnswer(302, { location: "http://[" }) }, "redirect", /it is no address/],
  [
    "a redirect with credentials",
    { answer: httpAnswer(302, { location: "//me:pass@127.0.0.1/" }) },
    "redirect",
    /user name or password/,
  ],
];

describe("I17 a hostile server", () => {
  test.each(cases)("%s", async (_name, fault, reason, words) => {
    const proxy = await ChaosProxy.start(fault);
    const fetcher = new TestFetcher({}, { limits });
    const work = fetcher.ask("GET", `${proxy.url}/secret-path?token=${secret}`, {
      maxBytes: megabyte,
      timeoutMs: 4_000,
      attempts: 1,
      token: secret,
    });
    const error = await failureOf(work.then((response) => response.json()));
    expect(error.message).toMatch(words);
    expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { reason, host: `127.0.0.1:${proxy.port}` } });
    expect(error.suggestions?.length).toBeGreaterThan(0);
    expect(JSON.stringify(error.toBody())).not.toMatch(/secret/);
    await eventually("the connection to be given up", () => proxy.connections === 0);
  });
});

test("I17 more bytes than promised: the promised ones, or a failure, but never others", async () => {
  const proxy = await ChaosProxy.start([
    { answer: httpAnswer(200, { "content-length": "2" }, "{}HTTP/1.1 200 OK") },
    { answer: httpAnswer(200, { "content-length": "2", connection: "keep-alive" }, "{}HTTP/1.1 200 OK\r\n\r\nevil") },
  ]);
  const fetcher = new TestFetcher();
  for (let round = 0; round < 10; round++) {
    const outcome = await fetcher.ask("GET", proxy.url, { attempts: 1 }).then(
      (response) => response.text(),
      (error) => error.details.reason,
    );
    expect(["{}", "garbled", "cut-off"]).toContain(outcome);
  }
});

describe("K34 faults that pass", () => {
  const repeatable: [string, Fault[]][] = [
    ["a reset before the answer", [{ answer: good, resetAt: 0 }]],
    ["a reset in mid-body", [{ answer: good, resetAt: 500 }]],
    [
      "a truncated body, twice",
      [
        { answer: good, truncateAt: 500 },
        { answer: good, truncateAt: 700 },
      ],
    ],
    ["502", [{ answer: httpAnswer(502, {}, "<html>") }]],
    ["503, then 504", [{ answer: httpAnswer(503) }, { answer: httpAnswer(504) }]],
    ["429", [{ answer: httpAnswer(429, { "retry-after": "1" }) }]],
    ["silence", [{ delayMs: Number.POSITIVE_INFINITY }]],
  ];

  test.each(repeatable)("%s: a GET is tried again", async (_name, faults) => {
    const proxy = await ChaosProxy.start([...faults, { answer: good }]);
    const fetcher = new TestFetcher({}, { limits });
    const response = await fetcher.ask("GET", proxy.url);
    expect(response.json()).toMatchObject({ hello: "world" });
    expect(proxy.requests.length).toBe(faults.length + 1);
    expect(fetcher.pauses.length).toBe(faults.length);
  });

  test.each(repeatable)("%s: a POST is not, unless it has a key", async (_name, [fault = {}]) => {
    const proxy = await ChaosProxy.start([fault, { answer: good }]);
    const fetcher = new TestFetcher({}, { limits });
    await fetcher.ask("POST", proxy.url, { json: { n: 1 } }).catch(() => undefined);
    expect(proxy.requests.length).toBe(1);
    const second = await ChaosProxy.start([fault, { answer: good }]);
    const response = await fetcher.ask("POST", second.url, { json: { n: 1 }, idempotencyKey: "once" });
    expect(response.json()).toMatchObject({ hello: "world" });
    expect(second.requests.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":1}']);
    for (const { head } of second.requests) expect(head).toMatch(/^idempotency-key: once\r$/m);
  });

  test.each([400, 401, 404, 409, 500, 501])("%s is an answer, and asked for once", async (status) => {
    const proxy = await ChaosProxy.start({ answer: httpAnswer(status, {}, "no") });
    const response = await new TestFetcher().ask("GET", proxy.url);
    expect([response.status, response.ok, response.text()]).toEqual([status, false, "no"]);
    expect(proxy.requests.length).toBe(1);
  });

  test("what stays wrong is told after the last attempt: the answer, or the failure", async () => {
    const unwilling = await ChaosProxy.start({ answer: httpAnswer(503, {}, "later") });
    const fetcher = new TestFetcher({}, { limits });
    const response = await fetcher.ask("GET", unwilling.url);
    expect([response.status, response.text(), unwilling.requests.length]).toEqual([503, "later", 3]);
    const dying = await ChaosProxy.start({ answer: good, resetAt: 0 });
    const error = await failureOf(fetcher.ask("DELETE", dying.url, { attempts: 5 }));
    expect(error.details).toMatchObject({ reason: "cut-off" });
    expect(dying.requests.length).toBe(5);
  });

  test("pauses are random and grow; Retry-After is the least", async () => {
    const proxy = await ChaosProxy.start({ answer: httpAnswer(503) });
    const fetcher = new TestFetcher();
    await fetcher.ask("GET", proxy.url, { attempts: 8, timeoutMs: 60_000 });
    for (const [index, ms] of fetcher.pauses.entries()) {
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(Math.min(8_000, 250 * 2 ** index));
    }
    expect(new Set(fetcher.pauses).size).toBe(7);
    const busy = await ChaosProxy.start({ answer: httpAnswer(429, { "retry-after": "7" }) });
    await fetcher.ask("GET", busy.url, { attempts: 2 });
    expect(fetcher.pauses.at(-1)).toBeGreaterThanOrEqual(7_000);
    const dated = await ChaosProxy.start({
      answer: httpAnswer(503, { "retry-after": new Date(Date.now() + 20_000).toUTCString() }),
    });
    await fetcher.ask("GET", dated.url, { attempts: 2 });
    expect(fetcher.pauses.at(-1)).toBeGreaterThan(10_000);
  });

  test("a Retry-After beyond the time there is: the answer is handed over at once", async () => {
    const proxy = await ChaosProxy.start({ answer: httpAnswer(429, { "retry-after": "3600" }, "slow down") });
    const fetcher = new TestFetcher();
    const response = await fetcher.ask("GET", proxy.url, { timeoutMs: 10_000 });
    expect([response.status, response.text(), proxy.requests.length]).toEqual([429, "slow down", 1]);
    expect(fetcher.pauses).toEqual([]);
  });

  test("abort ends it at once: while waiting for an answer, for a body, between attempts, before it began", async () => {
    const faults: Fault[] = [{ delayMs: Number.POSITIVE_INFINITY }, { answer: good.subarray(0, 300), stall: true }];
    for (const fault of faults) {
      const proxy = await ChaosProxy.start(fault);
      const controller = new AbortController();
      const work = failureOf(new TestFetcher().ask("GET", proxy.url, { signal: controller.signal }));
      await eventually("the request to arrive", () => proxy.requests.length === 1);
      controller.abort();
      expect(await work).toMatchObject({ code: "CANCELLED" });
      await eventually("the connection to be given up", () => proxy.connections === 0);
      expect(proxy.requests.length).toBe(1);
      expect(await failureOf(new TestFetcher().ask("GET", proxy.url, { signal: controller.signal }))).toMatchObject({
        code: "CANCELLED",
      });
      expect(proxy.requests.length).toBe(1);
    }
    const proxy = await ChaosProxy.start({ answer: httpAnswer(429, { "retry-after": "20" }) });
    const controller = new AbortController();
    const fetcher = new TestFetcher(
      {},
      {
        pause: (_ms, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("aborted")));
            controller.abort();
          }),
      },
    );
    expect(await failureOf(fetcher.ask("GET", proxy.url, { signal: controller.signal }))).toMatchObject({
      code: "CANCELLED",
    });
  });

  test("close ends what is under way", async () => {
    const proxy = await ChaosProxy.start({ delayMs: Number.POSITIVE_INFINITY });
    const fetcher = new TestFetcher();
    const work = failureOf(fetcher.ask("GET", proxy.url));
    await eventually("the request to arrive", () => proxy.requests.length === 1);
    fetcher.close();
    expect(await work).toMatchObject({ code: "CANCELLED" });
    await eventually("the connection to be given up", () => proxy.connections === 0);
  });

  test("the proxy stands before a real server as well", async () => {
    const { url } = await serve((request, response) => {
      request.on("data", () => undefined).on("end", () => response.end(JSON.stringify({ method: request.method })));
    });
    const proxy = await ChaosProxy.start([{ resetAt: 10 }, { truncateAt: 60 }, {}], url);
    const response = await new TestFetcher().ask("PUT", proxy.url, { json: { a: 1 } });
    expect(response.json()).toEqual({ method: "PUT" });
    expect(proxy.requests.length).toBe(3);
  });
});
