import type { Context, Hono } from "hono";
import type { Once } from "../../kernel/call.ts";
import { effects } from "../../kernel/effect.ts";
import { bodyOf, ForgeError } from "../../kernel/errors.ts";
import type { Caller, Runtime } from "../../kernel/invoke.ts";
import { allows, type Principal } from "../../kernel/principal.ts";
import type { Redactor } from "../../kernel/redact.ts";
import type { Route } from "../../kernel/route.ts";
import { type RouteRequest, serveRoute } from "../../kernel/serve-route.ts";
import { HttpRefusal, methodNotAllowed, nothingAt } from "./reply/refusals.ts";
import { errorReply, type Reply, refusalReply, replyTo, send, withChallenge } from "./reply/reply.ts";
import { hashOf, type Idempotency, type KeyedRequest, keyIn } from "./request/idempotency.ts";
import { revisionIn } from "./request/if-match.ts";
import { parseBody, readBodyText } from "./request/json-body.ts";
import { queryOf } from "./request/query.ts";
import { disconnectOf } from "./serve/disconnect.ts";

/** Who asks, and what the route is given for them. */
type Visitor<Services> = {
  runtime: Runtime<Services>;
  principal: Principal;
  /** What all their calls are about: their team. */
  about: readonly string[];
};

export type RouteOptions<Services> = {
  routes: readonly Route<Services>[];
  /** Who asks; throws where the route wants somebody and nobody is, or where they ask too often. */
  visitor(context: Context, route: Route<Services>): Promise<Visitor<Services>>;
  /** Absent where an Idempotency-Key is not heeded. */
  idempotency?: Idempotency;
  /** A change was made through this route. */
  changed?(route: Route<Services>): void;
  /** What a 401 of a route itself carries. */
  challenge?(given: boolean): string;
  /** What every answer carries. */
  headers?(): Record<string, string>;
  redactor: Redactor;
  log(message: string, fields: Record<string, unknown>): void;
  newId(): string;
};

/** Serves routes defined as data, and answers all else under the app with a JSON error. */
export function serveRoutes<Services>(app: Hono, options: RouteOptions<Services>): void {
  const routes = [...options.routes].sort((a, b) => variablesIn(a) - variablesIn(b));
  for (const route of routes) app.on(route.method, route.path, (context) => answer(route, context, options));
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, (context) =>
      send(refusalReply(methodNotAllowed(context.req.method, methods), options.redactor), options.headers?.()),
    );
  }
  app.notFound((context) => send(refusalReply(nothingAt(context.req.path), options.redactor), options.headers?.()));
  app.onError((error, context) => fail(error, context, options));
}

/** `/tickets/archived` is tried before `/tickets/:id`. */
function variablesIn({ path }: { path: string }): number {
  return path.split("/:").length;
}

function methodsByPath<Services>(routes: readonly Route<Services>[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? [];
    methods.set(path, [...known, ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  }
  return methods;
}

/** One request on its way to its answer. */
type Asking<Services> = {
  route: Route<Services>;
  context: Context;
  visitor: Visitor<Services>;
  id: string;
  /** Reads it the first time. */
  bodyText(): Promise<string | undefined>;
};

async function answer<Services>(
  route: Route<Services>,
  context: Context,
  options: RouteOptions<Services>,
): Promise<Response> {
  const id = options.newId();
  context.set(requestId, id);
  const visitor = await options.visitor(context, route);
  let text: Promise<string | undefined> | undefined;
  const bodyText = () => {
    text ??= route.method === "GET" ? Promise.resolve(undefined) : readBodyText(context);
    return text;
  };
  const asking = { route, context, visitor, id, bodyText };
  const { idempotency } = options;
  const keyed = idempotency && (await keyedRequest(asking));
  const reply = keyed ? await idempotency.answer(keyed, (once) => perform(asking, once)) : await perform(asking);
  // What failed here may have been changed before it did.
  const isRefused = reply.status >= 400 && reply.status < 500;
  if (effects[route.effect].access === "write" && !isRefused) options.changed?.(route);
  return send(challenged(reply, context, options), options.headers?.(), id);
}

function challenged<Services>(reply: Reply, context: Context, { challenge }: RouteOptions<Services>): Reply {
  return challenge ? withChallenge(reply, () => challenge(context.req.header("authorization") !== undefined)) : reply;
}

const requestId = "request-id";

async function perform<Services>(asking: Asking<Services>, once?: Once): Promise<Reply> {
  const { route, context, visitor, id, bodyText } = asking;
  let refusal: HttpRefusal | undefined;
  let conditional = false;
  const request = async (): Promise<RouteRequest> => {
    try {
      // Looking changes nothing that a condition could hold back.
      const ifMatch = route.method === "GET" ? undefined : revisionIn(context.req.header("if-match"));
      conditional = ifMatch !== undefined;
      return {
        params: context.req.param(),
        query: queryOf(context, route),
        body: parseBody(await bodyText()),
        ifMatch,
      };
    } catch (error) {
      if (error instanceof HttpRefusal) refusal = error;
      throw error;
    }
  };
  const caller = new HttpCaller(visitor.principal, disconnectOf(context));
  const outcome = await serveRoute(visitor.runtime, route, { id, request, about: visitor.about, once }, caller);
  return replyTo(route, outcome, refusal, conditional);
}

/** Who may not make the change is told so, and not what came of it when they might. */
async function keyedRequest<Services>(asking: Asking<Services>): Promise<KeyedRequest | undefined> {
  const { route, context, visitor, id, bodyText } = asking;
  const header = context.req.header("idempotency-key");
  if (header === undefined || route.scope === "public" || effects[route.effect].access === "read") return undefined;
  if (route.scope !== "signed-in" && !allows(visitor.principal, route.scope)) return undefined;
  const { path } = context.req;
  const whose = [visitor.principal.id, ...visitor.about];
  const { search } = new URL(context.req.url);
  return {
    key: hashOf(...whose, route.method, path, keyIn(header)),
    request: hashOf(search, context.req.header("if-match"), await bodyText()),
    id,
    secret: route.givesSecret === true,
  };
}

/** Hears nothing before the answer, and cannot be asked. */
class HttpCaller implements Caller {
  readonly principal: Principal;
  readonly signal: Caller["signal"];

  constructor(principal: Principal, signal: Caller["signal"]) {
    this.principal = principal;
    this.signal = signal;
  }

  report(): void {}

  log(): void {}

  canAsk(): boolean {
    return false;
  }

  async ask(): Promise<never> {
    throw new ForgeError("VALIDATION_ERROR", "This asks questions, which HTTP cannot.");
  }
}

/** For what is thrown outside a route's own run. */
function fail<Services>(error: Error, context: Context, options: RouteOptions<Services>): Response {
  const { log, redactor, newId } = options;
  const id: string | undefined = context.get(requestId);
  const headers = options.headers?.();
  if (error instanceof ForgeError) return send(refusalReply(error, redactor), headers, id);
  const reference = id ?? newId();
  log("a request failed", { reference, path: context.req.path, error: redactor.text(error.stack ?? error.message) });
  return send(errorReply(bodyOf(error, reference), undefined, false), headers, id);
}
