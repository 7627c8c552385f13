import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { ann, openRouteApp } from "../../../test/harness/route-app.ts";
import { type ErrorCode, errorCodes, ForgeError } from "../../kernel/errors.ts";
import { defineRoute } from "../../kernel/route.ts";

const basis = {
  summary: "For tests.",
  scope: "fixture:write",
  effect: "set",
  names: "none",
  params: z.object({}),
  query: z.object({}),
} as const;

const failing = defineRoute({
  ...basis,
  method: "GET",
  path: "/fail",
  scope: "public",
  effect: "read",
  query: z.object({ code: z.enum(errorCodes) }),
  output: z.object({}),
  async run(_services: object, { query }): Promise<Record<string, never>> {
    throw new ForgeError(query.code, "As told.");
  },
});

const echo = defineRoute({
  ...basis,
  method: "PATCH",
  path: "/things/:id",
  params: z.object({ id: z.string().max(20) }),
  query: z.object({ q: z.string().max(20).optional() }),
  body: z.strictObject({ text: z.string().max(1_000_000) }),
  output: z.object({ id: z.string(), q: z.string().optional(), text: z.string(), ifMatch: z.number().nullable() }),
  about: ({ id }) => [`thing:${id}`],
  revision: () => 4,
  async run(_services: object, { params, query, body, ifMatch }) {
    if (ifMatch === 1) throw new ForgeError("CONFLICT_ERROR", "It moved on.", { details: { currentRevision: 4 } });
    if (ifMatch === 2) throw new ForgeError("CONFLICT_ERROR", "Somebody is on it.");
    return { ...params, ...query, text: body.text, ifMatch: ifMatch ?? null };
  },
});

const looking = { ...basis, method: "GET", effect: "read", scope: "fixture:read" } as const;

const fixed = defineRoute({
  ...looking,
  path: "/things/fixed",
  output: z.object({ fixed: z.boolean() }),
  run: async () => ({ fixed: true }),
});

const one = defineRoute({
  ...looking,
  path: "/things/:id",
  params: z.object({ id: z.string() }),
  output: z.object({ fixed: z.boolean() }),
  run: async () => ({ fixed: false }),
});

const remove = defineRoute({
  ...basis,
  method: "DELETE",
  path: "/things/:id",
  effect: "remove",
  params: z.object({ id: z.string() }),
  output: z.object({}),
  status: 204,
  run: async () => ({}),
});

async function statusOf(code: ErrorCode): Promise<number> {
  const { send, errors } = openRouteApp([failing]);
  const response = await send("GET", `/fail?code=${code}`);
  expect(await response.json()).toEqual({ error: true, code, message: "As told." });
  expect(errors).toEqual([]);
  return response.status;
}

test.each([
  ["what the request can put right", ["VALIDATION_ERROR"], 400],
  ["who is not known", ["AUTH_REQUIRED", "AUTH_FAILED"], 401],
  ["what is not allowed", ["PERMISSION_DENIED", "TRUST_REQUIRED"], 403],
  ["what is not there", ["NOT_FOUND", "TOOL_NOT_FOUND", "AGENT_NOT_FOUND", "PLUGIN_NOT_FOUND"], 404],
  ["what others changed", ["CONFLICT_ERROR"], 409],
  ["what is wrong here", ["INTERNAL_ERROR", "CONFIG_ERROR", "DEPENDENCY_ERROR", "INTEGRITY_ERROR"], 500],
  ["what is wrong behind", ["NETWORK_ERROR"], 502],
  ["what may go better later", ["STORE_ERROR", "CANCELLED"], 503],
  ["what took too long", ["TIMEOUT"], 504],
] as const)("%s (%s) answers %i", async (_what, codes, status) => {
  for (const code of codes) expect(await statusOf(code), code).toBe(status);
});

test("who is to wait (a lockout) is answered 429, with for how long", async () => {
  const locked = defineRoute({
    ...basis,
    method: "POST",
    path: "/locked",
    scope: "public",
    output: z.object({}),
    async run(): Promise<Record<string, never>> {
      throw new ForgeError("AUTH_FAILED", "Too many failed attempts.", { details: { retryAfterSeconds: 900 } });
    },
  });
  const response = await openRouteApp([locked]).send("POST", "/locked");
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "900"]);
  expect(await response.json()).toMatchObject({ code: "AUTH_FAILED", details: { retryAfterSeconds: 900 } });
});

describe("a name that is given twice in the query", () => {
  const several = defineRoute({
    ...looking,
    path: "/several",
    query: z.object({
      limit: z.coerce.number().min(0).optional(),
      word: z.string().optional(),
      kind: z.union([z.enum(["a", "b"]), z.array(z.enum(["a", "b"])).max(3)]).optional(),
    }),
    output: z.object({ kind: z.unknown() }),
    run: async (_services: object, { query }) => ({ kind: query.kind }),
  });

  test.each(["limit=1&limit=2", "limit=1&limit=1", "word=a&word=b&word=c"])(
    "is refused for being two, in %s",
    async (query) => {
      const response = await openRouteApp([several]).send("GET", `/several?${query}`);
      const { message } = (await response.json()) as { message: string };
      expect([response.status, message]).toEqual([
        400,
        expect.stringMatching(/(limit|word): given [23] times, and one value is expected/),
      ]);
    },
  );

  test("is a list where one is wanted, and what is wrong in it is said", async () => {
    const { send } = openRouteApp([several]);
    expect(await (await send("GET", "/several?kind=a&kind=b")).json()).toEqual({ kind: ["a", "b"] });
    const response = await send("GET", "/several?kind=a&kind=c");
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).not.toContain("times");
  });
});

describe("what a route is given", () => {
  test("is its path, query and body, as its schemas read them", async () => {
    const { send } = openRouteApp([echo]);
    const response = await send("PATCH", "/things/a%20b?q=c%26d", '{"text":"hi"}');
    expect(await response.json()).toEqual({ id: "a b", q: "c&d", text: "hi", ifMatch: null });
  });

  test.each([
    ["an unknown name in the query", "/things/a?x=1", '{"text":""}', '"x"'],
    ["a name that objects have by inheritance", "/things/a?__proto__=1", '{"text":""}', '"__proto__"'],
    ["a name given twice", "/things/a?q=1&q=2", '{"text":""}', "q:"],
    ["too long a part of the path", `/things/${"x".repeat(21)}`, '{"text":""}', "id:"],
    ["an unknown field", "/things/a", '{"text":"","more":1}', '"more"'],
    ["a field that objects have by inheritance", "/things/a", '{"text":"","__proto__":{}}', '"__proto__"'],
    ["no body", "/things/a", undefined, "body"],
    ["a list for a body", "/things/a", "[]", "body"],
  ])("is refused by name: %s", async (_what, path, body, named) => {
    const { send } = openRouteApp([echo]);
    const response = await send("PATCH", path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(named) });
  });

  test("is no body where the route reads none; an empty one is none", async () => {
    const { send } = openRouteApp([remove]);
    expect((await send("DELETE", "/things/a", '{"text":"x"}')).status).toBe(400);
    for (const body of [undefined, "", "{}"]) expect((await send("DELETE", "/things/a", body)).status, body).toBe(204);
  });

  test.each([
    ['{"text":', "line 1, column 9"],
    ['{\n "text": "a",\n}', "line 3, column 1"],
    ["{text:1}", "line 1, column 2"],
    ['{"text":"a"} x', "line 1, column 14"],
    ["nul", "line 1, column 1"],
  ])("where the body is no JSON, %j, says where", async (body, place) => {
    const { send } = openRouteApp([echo]);
    const response = await send("PATCH", "/things/a", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(place) });
  });

  test("is never more than the limits on all input allow", async () => {
    const { send } = openRouteApp([echo]);
    for (const body of [`{"text":${"[".repeat(100)}${"]".repeat(100)}}`, `{"text":[${"0,".repeat(20_000)}0]}`]) {
      const response = await send("PATCH", "/things/a", body);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining("too large") });
      expect(response.status).toBe(400);
    }
  });
});

describe("K18 a body", () => {
  const large = JSON.stringify({ text: "x".repeat(1_048_576) });

  test("over 1 MiB is refused, announced or not", async () => {
    const { app, send } = openRouteApp([echo]);
    const announced = await send("PATCH", "/things/a", large);
    const chunked = await app.request("/things/a", {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: new Blob([large]).stream(),
      duplex: "half",
    } as RequestInit);
    for (const response of [announced, chunked]) {
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining("1 MiB"),
      });
    }
  });

  test("that goes on and on is not read to its end", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const { app } = openRouteApp([echo]);
    const init = { method: "PATCH", headers: { "content-type": "application/json" }, body: endless, duplex: "half" };
    expect((await app.request("/things/a", init as RequestInit)).status).toBe(413);
    expect(sent).toBeLessThan(2 * 1_048_576);
  });

  test.each([
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "text/plain;x=application/json" }, 415],
    [{ "content-type": "application/jsonp" }, 415],
    [{ "content-type": "application/x-www-form-urlencoded" }, 415],
    [{ "content-type": "application/json", "content-encoding": "gzip" }, 415],
    [{ "content-type": "application/json", "content-encoding": "br" }, 415],
    [{ "content-type": "application/json; charset=utf-8" }, 200],
    [{ "content-type": "APPLICATION/JSON" }, 200],
    [{ "content-type": "application/merge-patch+json" }, 200],
  ])("with the headers %j is answered with %i", async (headers, status) => {
    const { send } = openRouteApp([echo]);
    const response = await send("PATCH", "/things/a", '{"text":"hi"}', headers);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("application/json");
  });
});

describe("revisions", () => {
  test.each([
    ['"3"', 3],
    ['W/"3"', 3],
    ["*", null],
    [' "3" ', 3],
  ])("If-Match %s is understood", async (header, ifMatch) => {
    const { send } = openRouteApp([echo]);
    const response = await send("PATCH", "/things/a", '{"text":""}', { "if-match": header });
    expect(await response.json()).toMatchObject({ ifMatch });
    expect(response.headers.get("etag")).toBe('"4"');
  });

  test.each(["3", '"x"', '"3", "4"', '"-1"', '"3', `"${"9".repeat(20)}"`])("If-Match %s is refused", async (header) => {
    const { send } = openRouteApp([echo]);
    const response = await send("PATCH", "/things/a", '{"text":""}', { "if-match": header });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining("If-Match") });
  });

  test("one that has moved on is 412, another conflict stays 409", async () => {
    const { send } = openRouteApp([echo]);
    const outdated = await send("PATCH", "/things/a", '{"text":""}', { "if-match": '"1"' });
    const other = await send("PATCH", "/things/a", '{"text":""}', { "if-match": '"2"' });
    expect([outdated.status, other.status]).toEqual([412, 409]);
    expect(await outdated.json()).toMatchObject({ code: "CONFLICT_ERROR" });
  });
});

describe("answers", () => {
  test("a fixed path goes before a variable one, in whatever order they are listed", async () => {
    for (const routes of [
      [one, fixed],
      [fixed, one],
    ]) {
      const { send } = openRouteApp(routes);
      expect(await (await send("GET", "/things/fixed")).json()).toEqual({ fixed: true });
    }
  });

  test("another method is 405 and told which there are", async () => {
    const { send } = openRouteApp([echo, one, remove]);
    const response = await send("POST", "/things/a", "{}");
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET", "HEAD", "PATCH"]);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("204 has no body", async () => {
    const { send } = openRouteApp([remove]);
    const response = await send("DELETE", "/things/a");
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  test("a file is an attachment whose name is nothing but a name, whatever it was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (filename) => {
        const file = defineRoute({
          ...fixed,
          path: "/file",
          file: () => ({ text: "# Hi", filename, mediaType: "text/markdown; charset=utf-8" }),
        });
        const response = await openRouteApp([file]).send("GET", "/file");
        expect(await response.text()).toBe("# Hi");
        expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
        expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="(?!\.)[\w.-]{1,150}"$/);
      }),
      { numRuns: 50 },
    );
  });

  test("secrets are taken out, but for one that is made for the caller", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const telling = { ...looking, output: z.object({ text: z.string() }), run: async () => ({ text: secret }) };
    const { send } = openRouteApp([
      defineRoute({ ...telling, path: "/told" }),
      defineRoute({ ...telling, path: "/made", givesSecret: true }),
    ]);
    expect(await (await send("GET", "/told")).text()).not.toContain(secret);
    expect(await (await send("GET", "/made")).json()).toEqual({ text: secret });
  });

  test("K26 one that its schema does not allow is a fault of ours, told by its number alone", async () => {
    const wrong = defineRoute({ ...fixed, path: "/wrong", run: async () => ({ fixed: "no" }) as never });
    const { send, errors } = openRouteApp([wrong]);
    const response = await send("GET", "/wrong");
    const { details } = (await response.json()) as { details: { reference: string } };
    expect(response.status).toBe(500);
    expect(errors).toEqual([expect.stringContaining(details.reference)]);
    expect(JSON.stringify(details)).not.toContain("schema");
    expect(response.headers.get("x-request-id")).toBe(details.reference);
  });
});

describe("calls of routes", () => {
  test("K04 without the scope are refused before anything that was sent is looked at", async () => {
    const { send } = openRouteApp([echo], { ...ann, scopes: ["fixture:read"] });
    const response = await send("PATCH", "/things/a", "not json", { "content-type": "text/plain" });
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="fixture:write"');
    expect(await response.json()).toMatchObject({ code: "PERMISSION_DENIED", details: { scope: "fixture:write" } });
  });

  test("are recorded where they change something or fail, and not where they look", async () => {
    const { send, records } = openRouteApp([echo, fixed, failing]);
    await send("GET", "/things/fixed");
    expect(records).toEqual([]);
    const changed = await send("PATCH", "/things/a", '{"text":"x"}');
    await send("GET", "/fail?code=NOT_FOUND");
    expect(records).toMatchObject([
      {
        id: changed.headers.get("x-request-id"),
        kind: "route",
        name: "PATCH /things/:id",
        principal: "u-ann",
        about: ["team:one", "thing:a"],
        outcome: "ok",
      },
      { name: "GET /fail", outcome: "error", code: "NOT_FOUND" },
    ]);
  });

  test("end when their client goes", async () => {
    const gone = new AbortController();
    let ended: unknown;
    const waiting = defineRoute({
      ...fixed,
      path: "/wait",
      async run(_services: object, _input, { signal }) {
        gone.abort();
        ended = signal.aborted;
        return { fixed: true };
      },
    });
    const { app, records } = openRouteApp([waiting]);
    await app.request("/wait", { signal: gone.signal });
    expect(ended).toBe(true);
    expect(records).toMatchObject([{ name: "GET /wait", outcome: "cancelled" }]);
  });
});
