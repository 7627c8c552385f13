import { describe, expect, test } from "vitest";
import { eventually } from "../harness/cli/processes.ts";
import { ChaosProxy, type Fault, httpAnswer, jsonAnswer } from "../harness/faults/chaos-proxy.ts";
import { failureOf, serve, TestFetcher } from "../harness/http/fetching.ts";

const good = jsonAnswer({ hello: "world", padding: "x".repeat(2_000) });

describe("K34 faults that pass", () => {
  const silence = { delayMs: Number.POSITIVE_INFINITY };
  const patience = (fault: Fault | undefined) => (fault === silence ? { limits: { headersMs: 2_000 } } : {});
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
    ["silence", [silence]],
  ];

  test.each(repeatable)("%s: a GET is tried again", async (_name, faults) => {
    const proxy = await ChaosProxy.start([...faults, { answer: good }]);
    const fetcher = new TestFetcher({}, patience(faults[0]));
    const response = await fetcher.ask("GET", proxy.url);
    expect(response.json()).toMatchObject({ hello: "world" });
    expect(proxy.requests.length).toBe(faults.length + 1);
    expect(fetcher.pauses.length).toBe(faults.length);
  });

  test.each(repeatable)("%s: a POST is not, unless it has a key", async (_name, [fault = {}]) => {
    const proxy = await ChaosProxy.start([fault, { answer: good }]);
    const fetcher = new TestFetcher({}, patience(fault));
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
    const fetcher = new TestFetcher();
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
