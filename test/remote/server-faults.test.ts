import { describe, expect, it } from "vitest";
import { path } from "../../src/commons/remote/index.ts";
import { ChaosProxy, type Fault, httpAnswer, jsonAnswer } from "../harness/faults/chaos-proxy.ts";
import { failureOf, serve } from "../harness/http/fetching.ts";
import { Laptop, tokens } from "./laptop.ts";

const token = "given-token-0001";
const good = jsonAnswer({ id: "T-001", padding: "x".repeat(2_000) });
const get = path`/tickets/${"T-001"}`;

async function facing(script: Fault | Fault[]) {
  const proxy = await ChaosProxy.start(script);
  const laptop = new Laptop();
  return { proxy, laptop, server: laptop.server(`${proxy.url}/api`, { token, limits: { headersMs: 300 } }) };
}

/** Everything that must never be in what a person or a log is shown. */
const unsaid = (error: unknown) => expect(JSON.stringify(error) + String(error)).not.toMatch(/token-000|<html/);

describe("K34 faults that pass", () => {
  const passing: [string, Fault, number][] = [
    ["a reset before the answer", { answer: good, resetAt: 0 }, 200],
    ["a reset in mid-body", { answer: good, resetAt: 500 }, 200],
    ["a truncated body", { answer: good, truncateAt: 500 }, 200],
    ["500", { answer: httpAnswer(500, {}, "<html>") }, 2_000],
    ["503", { answer: httpAnswer(503) }, 2_000],
    ["429 with a time", { answer: httpAnswer(429, { "retry-after": "7" }) }, 7_000],
    ["429 without one", { answer: httpAnswer(429) }, 1_000],
  ];

  it.each(passing)("%s: a read is asked for once more", async (_name, fault, waited) => {
    const { proxy, laptop, server } = await facing([fault, { answer: good }]);
    expect(await server.request("GET", get)).toMatchObject({ id: "T-001" });
    expect([proxy.requests.length, laptop.pauses]).toEqual([2, [waited]]);
  });

  it.each(passing)("%s: a write is sent once more, under the same key", async (_name, fault) => {
    const { proxy, server } = await facing([fault, { answer: good }]);
    await server.request("PATCH", get, { body: { title: "New" }, ifMatch: 3 });
    const keys = proxy.requests.map(({ head }) => /^idempotency-key: (.+)\r$/m.exec(head)?.[1]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    expect(proxy.requests.map(({ body }) => body)).toEqual(['{"title":"New"}', '{"title":"New"}']);
    for (const { head } of proxy.requests) expect(head).toMatch(/^if-match: "3"\r$/m);
  });

  it("two writes have two keys, reads none", async () => {
    const { proxy, server } = await facing({ answer: good });
    for (const method of ["POST", "POST", "GET"] as const) await server.request(method, get);
    const keys = proxy.requests.map(({ head }) => /^idempotency-key: (.+)\r$/m.exec(head)?.[1]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBeUndefined();
  });

  it.each(passing.slice(0, 5))(
    "%s: a write to a server without keys is sent once, and its outcome said unknown",
    async (_name, fault) => {
      const { proxy, server } = await facing([fault, { answer: good }]);
      const error = await failureOf(server.request("POST", get, { body: {}, withoutKey: true }));
      expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { outcome: "unknown" } });
      expect(error.message).toContain("It is not known whether the change was made.");
      expect(proxy.requests).toHaveLength(1);
      expect(proxy.requests[0]?.head).not.toMatch(/idempotency-key/i);
    },
  );
});

describe("what is told aside", () => {
  it.each([
    ["500", { answer: httpAnswer(500) }],
    ["429", { answer: httpAnswer(429) }],
    ["a web page", { answer: httpAnswer(200, { "content-type": "text/html" }, "<html>") }],
  ] as [string, Fault][])("%s: is sent once, and no change is spoken of", async (_name, fault) => {
    const { proxy, laptop, server } = await facing(fault);
    const error = await failureOf(server.request("POST", get, { body: {}, aside: true }));
    expect(error.details).not.toHaveProperty("outcome");
    expect(`${error.message} ${error.next}`).not.toMatch(/change|queued|Look at what is there/);
    expect([proxy.requests.length, laptop.pauses]).toEqual([1, []]);
    expect(proxy.requests[0]?.head).toMatch(/^idempotency-key: /m);
  });

  it("is sent again where the connection was cut", async () => {
    const { proxy, server } = await facing([{ answer: good, resetAt: 0 }, { answer: good }]);
    await server.request("POST", get, { body: {}, aside: true });
    expect(proxy.requests).toHaveLength(2);
  });
});

describe("K34 faults that stay", () => {
  const staying: [string, Fault, number, Record<string, unknown>][] = [
    ["a reset in mid-body", { answer: good, resetAt: 500 }, 2, { reason: "cut-off" }],
    ["a truncated body", { answer: good, truncateAt: 500 }, 2, { reason: "cut-off" }],
    ["503", { answer: httpAnswer(503, {}, "<html>") }, 2, { reason: "server", status: 503 }],
    ["silence", { delayMs: Number.POSITIVE_INFINITY }, 1, { reason: "timeout" }],
    ["a web page", { answer: httpAnswer(200, { "content-type": "text/html" }, "<html>") }, 1, { reason: "not-json" }],
    [
      "half of the JSON",
      { answer: httpAnswer(200, { "content-type": "application/json" }, '{"id":') },
      1,
      { reason: "not-json" },
    ],
    ["an empty answer", { answer: httpAnswer(200, { "content-type": "application/json" }) }, 1, { reason: "not-json" }],
    [
      "JSON called text",
      { answer: httpAnswer(200, { "content-type": "text/plain" }, "{}") },
      1,
      { reason: "not-json" },
    ],
    [
      "more than 10 MiB",
      { answer: httpAnswer(200, { "content-length": "99999999" }, "{") },
      1,
      { reason: "too-large" },
    ],
    ["no HTTP", { answer: "hello there\r\n\r\n" }, 1, { reason: "garbled" }],
    ["a redirect to nowhere", { answer: httpAnswer(302) }, 1, { reason: "status", status: 302 }],
    [
      "429 for long",
      { answer: httpAnswer(429, { "retry-after": "3600" }) },
      1,
      { reason: "rate-limit", seconds: 3600 },
    ],
    ["429 twice", { answer: httpAnswer(429, { "retry-after": "1" }) }, 2, { reason: "rate-limit", seconds: 1 }],
  ];

  it.each(staying)("%s: one clear error", async (_name, fault, requests, details) => {
    const { proxy, server } = await facing(fault);
    const error = await failureOf(server.request("GET", get));
    expect(error).toMatchObject({ code: "NETWORK_ERROR", details });
    expect(error.message).toContain(`server at ${proxy.url}`);
    expect(error.next?.length).toBeGreaterThan(0);
    unsaid(error);
    expect(proxy.requests).toHaveLength(requests);
  });

  it("nobody listening: a write says that nothing was changed and nothing is queued", async () => {
    const { proxy, server } = await facing({ answer: good });
    await proxy.stop();
    const error = await failureOf(server.request("POST", get, { body: {} }));
    expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { reason: "unreachable", outcome: "unchanged" } });
    expect(error.message).toMatch(/^Cannot reach the Forge server at .+ Nothing was changed and nothing is queued\.$/);
  });

  it("http:// to another machine is not even tried", async () => {
    const error = await failureOf(new Laptop().server("http://192.0.2.1/api", { token }).request("GET", get));
    expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { reason: "insecure" } });
  });
});

describe("what a server refuses", () => {
  const said = {
    error: true,
    code: "VALIDATION_ERROR",
    message: "T-001 is DRAFT.",
    details: { legal: ["READY"] },
    suggestions: ["Go."],
  };

  it("in a Forge server's words", async () => {
    const { server } = await facing({ answer: jsonAnswer(said, 400) });
    const { code, message, details, suggestions: next } = said;
    expect(await failureOf(server.request("GET", get))).toMatchObject({ code, message, details, next });
  });

  it("with what to do next as data, where the server sends it", async () => {
    const next = ["Go.", { tool: "list_tickets", why: "to see all tickets" }, { command: "login" }];
    const { server } = await facing({ answer: jsonAnswer({ ...said, next }, 400) });
    expect(await failureOf(server.request("GET", get))).toMatchObject({ next });
  });

  it.each([
    [400, "VALIDATION_ERROR"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [409, "CONFLICT_ERROR"],
    [412, "CONFLICT_ERROR"],
    [413, "VALIDATION_ERROR"],
    [422, "VALIDATION_ERROR"],
  ])("with %i of another server is %s, once", async (status, code) => {
    const { proxy, server } = await facing({
      answer: jsonAnswer({ statusCode: status, message: ["a\u001b[31m", "b"], error: "no" }, status),
    });
    const error = await failureOf(server.request("PATCH", get, { body: {} }));
    expect(error).toMatchObject({ code, details: { status, error: "no" } });
    expect(error.message).toMatch(/: a\\x1b\[31m; b\.$/);
    expect(proxy.requests).toHaveLength(1);
  });

  it("401 for a token from FORGE_TOKEN names the variable and not the token", async () => {
    const { proxy, server } = await facing({ answer: httpAnswer(401) });
    const error = await failureOf(server.request("GET", get));
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", message: "The token in FORGE_TOKEN is not accepted." });
    expect(proxy.requests).toHaveLength(1);
    unsaid(error);
  });
});

describe("what a request says", () => {
  it("carries token, team, assistant and connection, and nothing that a header cannot", async () => {
    const { url, seen } = await echo();
    const laptop = new Laptop();
    await laptop.signIn(`${url}/api`);
    const by = { agent: "claude\r\nx-team-id: evil é", instance: "abc-1" };
    await laptop.server(`${url}/api`).request("GET", get, { by, query: { text: "a b" } });
    expect(seen[0]).toMatchObject({
      url: "/api/tickets/T-001?text=a+b",
      headers: {
        authorization: `Bearer ${tokens.accessToken}`,
        "x-team-id": "team-1",
        "x-forge-agent": "claude%0D%0Ax-team-id: evil %C3%A9",
        "x-forge-instance": "abc-1",
      },
    });
  });

  it("names no team where there is none", async () => {
    const { url, seen } = await echo();
    const laptop = new Laptop();
    await laptop.signIn(`${url}/api`, { teamId: "" });
    await laptop.server(`${url}/api`).request("GET", get);
    expect(seen[0]?.headers).not.toHaveProperty("x-team-id");
  });

  it("has its tokens taken out of whatever is written down", async () => {
    const { url } = await echo();
    const laptop = new Laptop();
    await laptop.signIn(`${url}/api`);
    await laptop.server(`${url}/api`).request("GET", get);
    expect(laptop.redactor.text(`a ${tokens.accessToken} b ${tokens.refreshToken}`)).toBe("a [redacted] b [redacted]");
  });
});

async function echo() {
  const seen: { url: string | undefined; headers: Record<string, unknown> }[] = [];
  const { url } = await serve((request, response) => {
    seen.push({ url: request.url, headers: request.headers });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  return { url, seen };
}
