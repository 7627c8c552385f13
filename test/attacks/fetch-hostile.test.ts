import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventually } from "../harness/cli/processes.ts";
import { ChaosProxy, type Fault, httpAnswer, jsonAnswer } from "../harness/faults/chaos-proxy.ts";
import { failureOf, TestFetcher } from "../harness/http/fetching.ts";

const secret = "secret-in-the-query";
/** Short where running out of time is what is meant; long elsewhere, so that a busy machine changes nothing. */
const impatient = { headersMs: 500, chunkMs: 500 };
const megabyte = 1024 * 1024;
const zeros = Buffer.alloc(16 * megabyte);
const good = jsonAnswer({ hello: "world", padding: "x".repeat(2_000) });
const packed = (encoding: string, body: Uint8Array) => httpAnswer(200, { "content-encoding": encoding }, body);
const gzipped = gzipSync(JSON.stringify({ hello: "x".repeat(500) }));
const html = httpAnswer(200, { "content-type": "text/html" }, "<!doctype html><title>Sign in</title>");
const endlessHead = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";

type Case = [name: string, fault: Fault, reason: string, words: RegExp];

const cases: Case[] = [
  ["silence", { delayMs: Number.POSITIVE_INFINITY }, "timeout", /did not start to respond within 500 ms/],
  [
    "headers that drip for ever",
    { answer: `HTTP/1.1 200 OK\r\nx: ${"y".repeat(500)}`, dripMs: 20 },
    "timeout",
    /start to respond/,
  ],
  ["a body that stalls", { answer: good.subarray(0, 600), stall: true }, "timeout", /did not continue its response/],
  [
    "a body that drips too long",
    { answer: good, dripMs: 20, dripFrom: 500 },
    "timeout",
    /did not complete|did not continue/,
  ],
  ["a reset before the answer", { answer: good, resetAt: 0 }, "cut-off", /was closed before/],
  ["a reset in the headers", { answer: good, resetAt: 30 }, "cut-off", /was closed before/],
  ["a reset in mid-body", { answer: good, resetAt: 1_000 }, "cut-off", /was closed before/],
  ["a close before the answer", { answer: good, truncateAt: 0 }, "cut-off", /was closed before/],
  ["a truncated body", { answer: good, truncateAt: 1_000 }, "cut-off", /was closed before/],
  [
    "a content-length that is too long",
    { answer: httpAnswer(200, { "content-length": "99" }, "{}") },
    "cut-off",
    /was closed before/,
  ],
  [
    "a chunked body that ends in the middle",
    { answer: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab" },
    "cut-off",
    /was closed before/,
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
    /start to respond|complete its response/,
  ],
  [
    "an endless body",
    { answer: endlessHead, endless: "[".repeat(50_000) },
    "too-large",
    /larger than the limit of 1048576 bytes/,
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
  ["truncated gzip", { answer: packed("gzip", gzipped.subarray(0, gzipped.length - 12)) }, "cut-off", /is incomplete/],
  [
    "truncated brotli",
    { answer: packed("br", brotliCompressSync(gzipped).subarray(0, 20)) },
    "cut-off",
    /is incomplete/,
  ],
  ["garbled gzip", { answer: packed("gzip", Buffer.from("this is not gzip")) }, "garbled", /cannot be decompressed/],
  [
    "garbled brotli",
    { answer: packed("br", Buffer.from("this is not brotli at all")) },
    "garbled",
    /cannot be decompressed/,
  ],
  ["gzip in gzip", { answer: packed("gzip, gzip", gzipSync(gzipped)) }, "garbled", /encoding that was not requested/],
  ["a web page", { answer: html }, "not-json", /is a web page \(status 200\)/],
  [
    "truncated JSON",
    { answer: httpAnswer(200, { "content-type": "application/json" }, '{"a": [1, 2') },
    "not-json",
    /is not valid JSON/,
  ],
  [
    "JSON that is no UTF-8",
    { answer: httpAnswer(200, {}, Buffer.from([0x22, 0xff, 0xfe, 0x22])) },
    "not-json",
    /is not valid JSON/,
  ],
  ["nothing at all", { answer: httpAnswer(200) }, "not-json", /is empty/],
  ["a redirect loop", { answer: httpAnswer(302, { location: "/again" }) }, "redirect", /redirects too often/],
  [
    "a redirect to a file",
    { answer: httpAnswer(302, { location: "file:///etc/passwd" }) },
    "redirect",
    /neither https: nor http:/,
  ],
  ["a redirect to nowhere", { answer: httpAnswer(302, { location: "http://[" }) }, "redirect", /it is not a URL/],
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
    const fetcher = new TestFetcher({}, reason === "timeout" ? { limits: impatient } : {});
    const work = fetcher.ask("GET", `${proxy.url}/secret-path?token=${secret}`, {
      maxBytes: megabyte,
      timeoutMs: reason === "timeout" ? 4_000 : 30_000,
      attempts: 1,
      token: secret,
    });
    const error = await failureOf(work.then((response) => response.json()));
    expect(error.message).toMatch(words);
    expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { reason, host: `127.0.0.1:${proxy.port}` } });
    expect(error.next?.length).toBeGreaterThan(0);
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
