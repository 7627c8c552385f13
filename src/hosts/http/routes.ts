import type { Context, Hono } from "hono";
import type { Call } from "../../kernel/call.ts";
import { bodyOf, type ErrorBody, type ErrorCode, ForgeError } from "../../kernel/errors.ts";
import { allows, type Principal } from "../../kernel/principal.ts";
import type { Redactor } from "../../kernel/redact.ts";
import type { Route } from "../../kernel/route.ts";
import { validationError } from "../../kernel/validation.ts";

export type RouteOptions<Services> = {
  routes: Route<Services>[];
  services: Services;
  redactor: Redactor;
  principal(): Principal;
  log(message: string, fields: Record<string, unknown>): void;
  newId(): string;
};

/** 4xx: another request may do. 500: not before somebody has put something right here. Above: perhaps later. */
const statuses: Record<ErrorCode, 400 | 401 | 403 | 404 | 409 | 500 | 502 | 503 | 504> = {
  AGENT_NOT_FOUND: 404,
  AUTH_FAILED: 401,
  AUTH_REQUIRED: 401,
  CANCELLED: 503,
  CONFIG_ERROR: 500,
  CONFLICT_ERROR: 409,
  DEPENDENCY_ERROR: 500,
  INTEGRITY_ERROR: 500,
  INTERNAL_ERROR: 500,
  NETWORK_ERROR: 502,
  NOT_FOUND: 404,
  PERMISSION_DENIED: 403,
  PLUGIN_NOT_FOUND: 404,
  STORE_ERROR: 503,
  TIMEOUT: 504,
  TOOL_NOT_FOUND: 404,
  TRUST_REQUIRED: 403,
  VALIDATION_ERROR: 400,
};

/** Serves routes defined as data. Handlers throw; this is the HTTP side's one place that catches. */
export function serveRoutes<Services>(app: Hono, options: RouteOptions<Services>): void {
  for (const route of options.routes) app.on(route.method, route.path, (context) => run(route, context, options));
  app.notFound((context) =>
    context.json(new ForgeError("NOT_FOUND", `There is nothing at ${context.req.path.slice(0, 200)}.`).toBody(), 404),
  );
  app.onError((error, context) => fail(error, context, options));
}

async function run<Services>(
  route: Route<Services>,
  context: Context,
  options: RouteOptions<Services>,
): Promise<Response> {
  const principal = options.principal();
  if (route.scope !== "public" && route.scope !== "signed-in" && !allows(principal, route.scope)) {
    throw new ForgeError("PERMISSION_DENIED", `This needs the scope ${route.scope}.`, {
      details: { scope: route.scope },
    });
  }
  const query = route.query.safeParse(context.req.query());
  if (!query.success) throw validationError(query.error, `query for ${route.path}`, Object.keys(route.query.shape));
  const call = { principal } as Call;
  const input = { params: {}, query: query.data, body: undefined, ifMatch: undefined };
  const made = await route.run(options.services, input, call);
  return context.json(options.redactor.value(route.output.parse(made)) as object);
}

function fail<Services>(error: Error, context: Context, { log, redactor, newId }: RouteOptions<Services>): Response {
  const reference = newId();
  if (!(error instanceof ForgeError)) {
    log("a request failed", { reference, path: context.req.path, error: redactor.text(error.stack ?? error.message) });
  }
  const body: ErrorBody = redactor.value(bodyOf(error, reference));
  return context.json(body, statuses[body.code]);
}
