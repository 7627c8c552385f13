import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Runtime, requireScope } from "../../kernel/calls/invoke.ts";
import { scopeOf } from "../../kernel/calls/serve-route.ts";
import type { Route } from "../../kernel/definitions/route.ts";
import type { Principal } from "../../kernel/principal.ts";
import { type BoardOptions, serveBoard } from "./board/serve-board.ts";
import { openApiOf } from "./openapi/openapi.ts";
import { referencePage, referencePolicy } from "./openapi/reference-page.ts";
import { PartsRouter } from "./parts-router.ts";
import type { Events } from "./reply/events.ts";
import { HttpError } from "./reply/http-error.ts";
import {
  type AuthenticatedRequest,
  type Authenticator,
  accessOf,
  type UnverifiedRequest,
} from "./request/authenticator.ts";
import type { Idempotency } from "./request/idempotency.ts";
import { type HostRules, requireKnownHost } from "./request/known-host.ts";
import { challengeOf } from "./request/known-tokens.ts";
import { type TurnLimits, UserTurns } from "./request/user-turns.ts";
import { type RouteOptions, serveRoutes } from "./routes.ts";
import { allowOrigins, commonHeaders, withHeaders } from "./serve/common-headers.ts";

export type ServerAppOptions<Services> = Pick<RouteOptions<Services>, "commandLine" | "redactor" | "log" | "newId"> & {
  routes: readonly Route<Services>[];
  authenticator: Authenticator;
  /** What a request's route runs on; on public routes nobody is signed in. `confirm` throws if the caller's rights have ended. */
  open(
    arrival: UnverifiedRequest | AuthenticatedRequest,
    route: Route<Services>,
    confirm: () => Promise<void>,
  ): { runtime: Runtime<Services>; about: readonly string[] };
  idempotency: Idempotency;
  turnLimits: Partial<TurnLimits>;
  events: Events;
  /** Permissions, tokens or members were changed. */
  accessChanged(): void;
  board: BoardOptions | undefined;
  pages(app: Hono): void;
  hostRules(): HostRules;
  publicUrl(): string;
  /** Origins of other sites whose pages may call. */
  corsOrigins: ReadonlySet<string>;
  version: string;
  /** Whether the database answers and the server is not ending. */
  ready(): Promise<boolean>;
  ending(): boolean;
};

export const metadataPath = "/.well-known/oauth-protected-resource";

const nobody: Principal = { kind: "user", id: "nobody", name: "A user who is not signed in", scopes: [] };

/** A team's server: its routes, pages, events and what describes them. */
export function createServerApp<Services>(options: ServerAppOptions<Services>): Hono {
  const app = new Hono({ router: new PartsRouter() });
  const common = commonHeaders(options.publicUrl().startsWith("https:"));
  const last = { ...common, connection: "close" };
  const headers = () => (options.ending() ? last : common);
  app.use(requireKnownHost(options.hostRules));
  if (options.corsOrigins.size > 0) app.use("/api/*", allowOrigins(options.corsOrigins, headers));
  // First, and with headers of their own: the most frequent requests should not pass through middleware for the rest.
  serveRoutes(app, {
    ...options,
    headers,
    turns: new UserTurns(options.turnLimits),
    challenge: (given) => challengeOf(given, `${options.publicUrl()}${metadataPath}`),
    requester: (context, route) => authenticate(context, route, options),
    refused: (context) => options.authenticator.noteRefusal(context),
    confirm: async (context, route) => openFor(context, await options.authenticator.confirm(context), route, options),
    // Signed-in users can change their own tokens; public calls revoke none.
    changed({ scope }) {
      if (scope.startsWith("access:") || scope === "signed-in") options.accessChanged();
    },
  });
  app.use(withHeaders(headers));
  serveState(app, options);
  serveDescriptions(app, options);
  options.events.serve(app);
  if (options.board) serveBoard(app, options.board);
  options.pages(limitForms(app, options.accessChanged));
  return app;
}

async function authenticate<Services>(context: Context, route: Route<Services>, options: ServerAppOptions<Services>) {
  const arrived =
    route.scope === "public"
      ? { ...options.authenticator.anonymous(context, route), principal: nobody }
      : await options.authenticator.authenticate(context, accessOf(route));
  return openFor(context, arrived, route, options);
}

function openFor<Services>(
  context: Context,
  arrived: (UnverifiedRequest | AuthenticatedRequest) & { principal: Principal },
  route: Route<Services>,
  options: ServerAppOptions<Services>,
) {
  const { runtime, about } = options.open(arrived, route, async () => {
    if (route.scope === "public") return;
    const { principal } = await options.authenticator.confirm(context);
    requireScope(principal, { scope: scopeOf(route) });
  });
  return { runtime, about, principal: arrived.principal };
}

const limitForm = bodyLimit({
  maxSize: 65_536,
  onError: () => {
    throw new HttpError(413, {
      code: "VALIDATION_ERROR",
      message: "The form is too large: the limit is 64 KiB.",
      next: ["Send less."],
    });
  },
});

/** Permissions can be changed on the pages too. */
function limitForms(app: Hono, changed: () => void): Hono {
  app.on("POST", "*", async (context, next) => {
    if (context.req.path.startsWith("/api/")) return next();
    const answer = await limitForm(context, next);
    if (context.res.status < 400) changed();
    return answer;
  });
  return app;
}

function serveState<Services>(app: Hono, { version, ready }: ServerAppOptions<Services>): void {
  for (const prefix of ["", "/api"]) {
    app.get(`${prefix}/health`, (context) => context.json({ status: "ok", version }));
    app.get(`${prefix}/ready`, async (context) => {
      const isReady = await ready();
      return context.json({ ready: isReady }, isReady ? 200 : 503);
    });
  }
}

function serveDescriptions<Services>(app: Hono, options: ServerAppOptions<Services>): void {
  const { routes, version, publicUrl, authenticator } = options;
  const describeApi = () => ({ routes, version, publicUrl: publicUrl() });
  let document: string | undefined;
  let page: string | undefined;
  // Like any request without a token: both are long.
  for (const path of ["/api/openapi.json", "/api/docs", metadataPath])
    app.use(path, (context, next) => {
      authenticator.anonymous(context);
      return next();
    });
  app.get("/api/openapi.json", (context) => {
    document ??= JSON.stringify(openApiOf(describeApi()));
    context.header("content-type", "application/json; charset=utf-8");
    return context.body(document);
  });
  app.get("/api/docs", (context) => {
    page ??= referencePage(describeApi());
    context.header("content-security-policy", referencePolicy);
    return context.html(page);
  });
  app.get(metadataPath, (context) => {
    const scopes = [...new Set(routes.map(({ scope }) => scope).filter((scope) => scope.includes(":")))];
    return context.json({
      resource: `${publicUrl()}/api`,
      scopes_supported: scopes.sort(),
      bearer_methods_supported: ["header"],
      resource_documentation: `${publicUrl()}/api/docs`,
    });
  });
}
