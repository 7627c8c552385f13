import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { anyCharacter } from "../../../test/harness/commons/any-character.ts";
import { basis, echo, failing, fixed, looking, one, remove } from "../../../test/harness/http/fixture-routes.ts";
import { ann, openRouteApp } from "../../../test/harness/http/route-app.ts";
import { defineRoute } from "../../kernel/definitions/route.ts";
import { type ErrorCode, ForgeError } from "../../kernel/errors.ts";

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

test("what to do next is said in words for HTTP clients, and as data for others", async () => {
  const next = [
    { tool: "look_at_thing", input: { id: "a" }, why: "to see it" },
    { tool: "elsewhere" },
    { command: "login" },
    "Wait a moment.",
  ];
  const lost = defineRoute({
    ...looking,
    path: "/lost",
    output: z.object({}),
    async run(): Promise<Record<string, never>> {
      throw new ForgeError("NOT_FOUND", "It is lost.", { next });
    },
  });
  const response = await openRouteApp([lost, { ...one, operation: "look_at_thing" }]).send("GET", "/lost");
  expect(await response.json()).toEqual({
    error: true,
    code: "NOT_FOUND",
    message: "It is lost.",
    suggestions: [
      "Send GET /things/a to see it.",
      "Run `forge call elsewhere`.",
      "Run `forge login`.",
      "Wait a moment.",
    ],
    next,
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
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 300 }), async (filename) => {
        const file = defineRoute({
          ...fixed,
          path: "/file",
          file: { mediaType: "text/markdown; charset=utf-8", make: () => ({ text: "# Hi", filename }) },
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
