import { Hono } from "hono";
import { expect, test } from "vitest";
import * as z from "zod";
import { makeHost } from "../../../test/harness/fixture-host.ts";
import { type ErrorCode, errorCodes, ForgeError } from "../../kernel/errors.ts";
import { localPrincipal } from "../../kernel/principal.ts";
import { defineRoute } from "../../kernel/route.ts";
import { serveRoutes } from "./routes.ts";

const failing = defineRoute({
  method: "GET",
  path: "/fail",
  summary: "Fails as told.",
  scope: "public",
  effect: "read",
  names: "none",
  params: z.object({}),
  query: z.object({ code: z.enum(errorCodes) }),
  output: z.object({}),
  async run(_services: object, { query }): Promise<Record<string, never>> {
    throw new ForgeError(query.code, "As told.");
  },
});

async function statusOf(code: ErrorCode): Promise<number> {
  const app = new Hono();
  const logged: string[] = [];
  const { runtime } = makeHost([], {});
  serveRoutes(app, {
    routes: [failing],
    visitor: async () => ({ runtime, principal: localPrincipal("ann"), about: [] }),
    redactor: runtime.redactor,
    log: (message) => void logged.push(message),
    newId: () => "r-1",
  });
  const response = await app.request(`/fail?code=${code}`);
  expect(await response.json()).toEqual({ error: true, code, message: "As told." });
  expect(logged).toEqual([]);
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
