import { Hono } from "hono";
import { serveRoutes } from "../../../src/hosts/http/routes.ts";
import type { Route } from "../../../src/kernel/definitions/route.ts";
import type { Principal } from "../../../src/kernel/principal.ts";
import { makeHost } from "../mcp/fixture-host.ts";

export const ann: Principal = { kind: "user", id: "u-ann", name: "Ann", scopes: ["fixture:read", "fixture:write"] };

/** Routes over HTTP for one caller, with a ledger and a log that a test can read. */
export function openRouteApp(routes: Route<object>[], principal: Principal = ann) {
  const errors: string[] = [];
  const { runtime, records } = makeHost(
    [],
    {},
    {
      log: (level, message, fields) => void (level === "error" && errors.push(`${message} ${JSON.stringify(fields)}`)),
    },
  );
  const app = new Hono();
  let ids = 0;
  serveRoutes(app, {
    routes,
    requester: async () => ({ runtime, principal, about: ["team:one"] }),
    redactor: runtime.redactor,
    log: (message, fields) => void errors.push(`${message} ${JSON.stringify(fields)}`),
    newId: () => `r-${++ids}`,
  });
  const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    return app.request(path, {
      method,
      headers: { ...type, ...length, ...headers },
      ...(body !== undefined && { body }),
    });
  };
  return { app, send, records, errors };
}
