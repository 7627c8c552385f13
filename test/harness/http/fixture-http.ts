import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { createApp } from "../../../src/hosts/http/app.ts";
import type { Status } from "../../../src/hosts/http/pages/status-page.ts";
import { listen } from "../../../src/hosts/http/serve/listen.ts";
import { McpHttp } from "../../../src/hosts/mcp/mcp-http.ts";
import { defineRoute } from "../../../src/kernel/definitions/route.ts";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { localPrincipal } from "../../../src/kernel/principal.ts";
import type { LinkTokens } from "../../../src/platform/secrets/link-token.ts";
import { plantedPath, plantedSecret } from "../mcp/fixture-faults.ts";
import { makeFixture } from "../mcp/fixture-host.ts";
import type { FixtureServices } from "../mcp/fixture-toolset.ts";

const said = z.object({ said: z.string() });

const routes = [
  defineRoute({
    method: "GET",
    path: "/api/echo",
    summary: "Says what it was told.",
    scope: "public",
    effect: "read",
    names: "none",
    params: z.object({}),
    query: z.object({ text: z.string().max(100) }),
    output: said,
    run: async (_services: FixtureServices, { query }) => ({ said: query.text }),
  }),
  defineRoute({
    method: "GET",
    path: "/api/fail",
    summary: "Fails in a way of its choosing.",
    scope: "public",
    effect: "read",
    names: "none",
    params: z.object({}),
    query: z.object({ how: z.enum(["stranger", "conflict"]) }),
    output: said,
    async run(_services: FixtureServices, { query }) {
      if (query.how === "conflict") throw new ForgeError("CONFLICT_ERROR", `Not with ${plantedSecret}.`);
      throw new Error(`cannot open ${plantedPath} with ${plantedSecret}`);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/guarded",
    summary: "Needs a scope.",
    scope: "fixture:write",
    effect: "read",
    names: "none",
    params: z.object({}),
    query: z.object({}),
    output: said,
    run: async () => ({ said: "never" }),
  }),
];

type Board = Parameters<typeof createApp>[0]["board"];

/** The fixture toolset over HTTP, as the program serves its own. */
export function makeHttp(status?: Status, fixture = makeFixture(), tokens?: LinkTokens, board?: Board) {
  const mcp = new McpHttp(fixture.host, () => undefined);
  const logged: string[] = [];
  const app = createApp({
    mcp: (request) => mcp.fetch(request),
    status: status && (async () => status),
    routes,
    requester: async () => ({
      runtime: fixture.runtime,
      principal: { ...localPrincipal("ada"), scopes: ["fixture:read"] },
      about: [],
    }),
    redactor: fixture.runtime.redactor,
    log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    newId: randomUUID,
    tokens,
    board,
  });
  return { ...fixture, app, mcp, logged };
}

/** The same on a port of its own; closed when the test is over. */
export async function listenHttp(status?: Status, fixture = makeFixture()) {
  const made = makeHttp(status, fixture);
  const listening = await listen(made.app, { host: "127.0.0.1", port: 0 }, false);
  onTestFinished(async () => {
    await made.mcp.close();
    await listening.close();
  });
  return { ...made, url: listening.url, mcpUrl: `${listening.url}/mcp`, port: Number(new URL(listening.url).port) };
}
