import { describe, expect, test } from "vitest";
import * as z from "zod";
import { echo, looking, one, remove } from "../../../test/harness/http/fixture-routes.ts";
import { openRouteApp } from "../../../test/harness/http/route-app.ts";
import { defineRoute } from "../../kernel/definitions/route.ts";

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
        expect.stringMatching(/(limit|word): given [23] times, but one value is expected/),
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

  test("is no condition where what it changes has no revision: If-Match is refused there, and no matter to a look", async () => {
    const { send } = openRouteApp([echo, remove, one]);
    const response = await send("DELETE", "/things/a", undefined, { "if-match": '"3"' });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain("does not support If-Match");
    expect((await send("DELETE", "/things/a", undefined, { "if-match": "*" })).status).toBe(204);
    expect((await send("GET", "/things/a", undefined, { "if-match": '"3"' })).status).toBe(200);
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

  const bytesOf = (...parts: (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))));

  test.each([
    ["a byte that UTF-8 does not have", bytesOf('{"text":"a', 0xff, '"}')],
    ["a character that is cut off", bytesOf('{"text":"', 0xf0, 0x9f, 0x98, '"}')],
    ["a half of a character in UTF-8", bytesOf('{"text":"', 0xed, 0xa0, 0x80, '"}')],
    ["Latin-1", Buffer.from('{"text":"Köln"}', "latin1")],
  ])("is never other text than was sent: %s is refused", async (_what, bytes) => {
    const { app, records } = openRouteApp([echo]);
    const headers = { "content-type": "application/json" };
    const body = new Blob([bytes]);
    const announced = { method: "PATCH", headers: { ...headers, "content-length": String(bytes.length) }, body };
    const chunked = { method: "PATCH", headers, body: body.stream(), duplex: "half" };
    for (const init of [announced, chunked]) {
      const response = await app.request("/things/a", init as RequestInit);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: "VALIDATION_ERROR",
        message: "The body is not valid UTF-8.",
      });
    }
    expect(records.filter(({ outcome }) => outcome === "ok")).toEqual([]);
  });

  test("is whole where it has any character there is", async () => {
    const { send } = openRouteApp([echo]);
    const response = await send("PATCH", "/things/a", '{"text":"\ufffd😀\\ud83d\\ude00ö\\\\ud83d"}');
    expect(await response.json()).toMatchObject({ text: "\ufffd😀😀ö\\ud83d" });
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
