import type { Context, Hono } from "hono";
import type { ActionFormatter } from "../../kernel/action.ts";
import type { Once } from "../../kernel/calls/call.ts";
import { type Caller, type Runtime, requireScope } from "../../kernel/calls/invoke.ts";
import { type RouteRequest, scopeOf, serveRoute } from "../../kernel/calls/serve-route.ts";
import type { Route } from "../../kernel/definitions/route.ts";
import { effects } from "../../kernel/effect.ts";
import { bodyOf, ForgeError } from "../../kernel/errors.ts";
import { allows, type Principal } from "../../kernel/principal.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { HttpError, methodNotAllowed, notFoundAt } from "./reply/http-error.ts";
import { partOf } from "./reply/part-of.ts";
import { errorReply, type Reply, refusalReply, replyTo, toResponse, withWwwAuthenticate } from "./reply/reply.ts";
import { type CommandLine, wordForHttp } from "./reply/wording.ts";
import { hashParts, type Idempotency, type KeyedRequest, parseKey } from "./request/idempotency.ts";
import { parseIfMatch } from "./request/if-match.ts";
import { announcedBytes, maxPublicBytes, parseBody, readBodyText } from "./request/json-body.ts";
import { readQuery } from "./request/query.ts";
import type { UserTurns } from "./request/user-turns.ts";
import { disconnectOf, isCutOff, whenSent } from "./serve/disconnect.ts";

/** Who asks, and what the route is given for them. */
type Requester<Services> = {
  runtime: Runtime<Services>;
  principal: Principal;
  /** What all their calls are about: their team. */
  about: readonly string[];
};

export type RouteOptions<Services> = {
  routes: readonly Route<Services>[];
  /** Who asks; throws where the route needs a signed-in user, or where they ask too often. */
  requester(context: Context, route: Route<Services>): Promise<Requester<Services>>;
  /** The same once the body of a change has arrived, which the caller can delay. Absent where nobody can be signed out. */
  confirm?(context: Context, route: Route<Services>): Promise<Requester<Services>>;
  /** Absent where all requests are of one user. */
  turns?: UserTurns;
  /** Absent where an Idempotency-Key is ignored. */
  idempotency?: Idempotency;
  /** A route that checks itself who asks has refused them; throws where that happens too often. */
  refused?(context: Context): void;
  /** A change was made through this route. */
  changed?(route: Route<Services>): void;
  /** What a 401 of a route itself carries. */
  challenge?(given: boolean): string;
  /** What every answer carries. */
  headers?(): Record<string, string>;
  /** The command of an operation that no route here is the form of; default: `forge call`. */
  commandLine?: CommandLine;
  redactor: Redactor;
  log(message: string, fields: Record<string, unknown>): void;
  newId(): string;
};

/** Serves routes defined as data, and answers everything else with a JSON error. */
export function serveRoutes<Services>(app: Hono, given: RouteOptions<Services>): void {
  const options = { ...given, word: wordForHttp(given.routes, given.commandLine) };
  const refuse = (error: ForgeError) =>
    toResponse(refusalReply(error, given.redactor, options.word), given.headers?.());
  const routes = [...given.routes].sort((a, b) => variablesIn(a) - variablesIn(b));
  for (const route of routes) app.on(route.method, route.path, (context) => answer(route, context, options));
  for (const [path, methods] of methodsByPath(routes))
    app.all(path, (context) => refuse(methodNotAllowed(context.req.method, methods)));
  app.notFound((context) => refuse(notFoundAt(context.req.path)));
  app.onError((error, context) => fail(error, context, options));
}

type RouteContext<Services> = RouteOptions<Services> & { word: ActionFormatter };

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

/** A request that is being answered. */
type OpenRequest<Services> = {
  route: Route<Services>;
  context: Context;
  visitor: Requester<Services>;
  id: string;
  /** Reads it the first time. */
  bodyText(): Promise<string | undefined>;
  word: ActionFormatter;
};

async function answer<Services>(
  route: Route<Services>,
  context: Context,
  options: RouteContext<Services>,
): Promise<Response> {
  const id = options.newId();
  context.set(requestId, id);
  const visitor = await options.requester(context, route);
  const { turns, confirm } = options;
  if (!turns || route.scope === "public") return answerVisitor(route, context, options, visitor);
  const answerTo = (asked: Requester<Services>) => answerVisitor(route, context, options, asked);
  return turns.run(visitor.principal.id, sizeOf(route, context), (hasWaited) =>
    // Who makes a change is asked again in any case, once its body has arrived.
    hasWaited && confirm && !isChange(route) ? confirm(context, route).then(answerTo) : answerTo(visitor),
  );
}

const namesItem = /\/:[^/]+$/;

function sizeOf<Services>({ effect, path }: Route<Services>, context: Context): Parameters<UserTurns["run"]>[1] {
  const bytes = announcedBytes(context);
  if (effects[effect].access === "write") return { bytes, kind: "change" };
  // One item is read quickly. What is asked about one, or with a query, may look through much that is stored.
  return namesItem.test(path) && !context.req.url.includes("?") ? { bytes } : { bytes, kind: "list" };
}

async function answerVisitor<Services>(
  route: Route<Services>,
  context: Context,
  options: RouteContext<Services>,
  asked: Requester<Services>,
): Promise<Response> {
  const id: string = context.get(requestId);
  let visitor = asked;
  let text: Promise<string | undefined> | undefined;
  const bodyText = () => {
    text ??= route.method === "GET" ? Promise.resolve(undefined) : readBodyText(context, maxBytesOf(route));
    return text;
  };
  const { confirm } = options;
  if (confirm && isChange(route)) {
    // What is known of the caller can be some seconds old: they may have got the right to make the change since.
    if (!canChange(route, visitor.principal)) visitor = await confirm(context, route);
    if (canChange(route, visitor.principal)) {
      // A body that cannot be read is refused where it is parsed.
      await bodyText().catch(() => undefined);
      visitor = await confirm(context, route);
    }
  }
  const request = { route, context, visitor, id, bodyText, word: options.word };
  const reply = isChange(route) ? await performOnce(request, options) : await perform(request);
  if (route.checksWho && reply.status >= 400) options.refused?.(context);
  // A call that failed inside may have changed something before it did.
  const isRefused = reply.status >= 400 && reply.status < 500;
  if (effects[route.effect].access === "write" && !isRefused) options.changed?.(route);
  holdUnread(reply, context, visitor, options);
  return toResponse(addChallenge(reply, context, options), options.headers?.(), id);
}

/** Small answers are not counted: connections are few. */
const maxUncounted = 65_536;

function holdUnread<Services>(
  { text, bytes }: Reply,
  context: Context,
  { principal }: Requester<Services>,
  { turns }: RouteContext<Services>,
): void {
  const length = bytes?.length ?? text?.length ?? 0;
  if (turns && length > maxUncounted) whenSent(context, turns.hold(principal.id, length));
}

function maxBytesOf<Services>({ scope }: Route<Services>): number | undefined {
  return scope === "public" ? maxPublicBytes : undefined;
}

/** Whether the route changes something for somebody who is signed in. */
function isChange<Services>({ scope, effect }: Route<Services>): boolean {
  return scope !== "public" && effects[effect].access === "write";
}

/** Whether the route is such a change, and this caller may make it. */
function canChange<Services>(route: Route<Services>, principal: Principal): boolean {
  const scope = scopeOf(route);
  return isChange(route) && (scope === undefined || allows(principal, scope));
}

function addChallenge<Services>(reply: Reply, context: Context, { challenge }: RouteOptions<Services>): Reply {
  return challenge
    ? withWwwAuthenticate(reply, () => challenge(context.req.header("authorization") !== undefined))
    : reply;
}

const requestId = "request-id";

async function perform<Services>(open: OpenRequest<Services>, once?: Once): Promise<Reply> {
  const { route, context, visitor, id, bodyText, word } = open;
  let refusal: HttpError | undefined;
  let conditional = false;
  const request = async (): Promise<RouteRequest> => {
    try {
      // A read changes nothing that a condition could prevent.
      const ifMatch = route.method === "GET" ? undefined : parseIfMatch(context.req.header("if-match"));
      conditional = ifMatch !== undefined;
      return {
        params: context.req.param(),
        query: readQuery(context, route),
        body: parseBody(await bodyText()),
        ifMatch,
      };
    } catch (error) {
      if (error instanceof HttpError) refusal = error;
      throw error;
    }
  };
  const caller = new HttpCaller(visitor.principal, disconnectOf(context));
  const outcome = await serveRoute(visitor.runtime, route, { id, request, about: visitor.about, once }, caller);
  return partOf(replyTo(route, outcome, { refusal, conditional, word }), context.req);
}

/** Answers a request with an Idempotency-Key as the first one with this key was answered. */
async function performOnce<Services>(open: OpenRequest<Services>, options: RouteContext<Services>): Promise<Reply> {
  const { idempotency, redactor, confirm, word } = options;
  const keyed = idempotency && (await keyedRequest(open));
  if (!keyed) return perform(open);
  const { route, context } = open;
  return idempotency.answer(keyed, {
    async confirm() {
      if (confirm) open.visitor = await confirm(context, route);
      requireScope(open.visitor.principal, { scope: scopeOf(route) });
    },
    perform: (once) => perform(open, once),
    fail: (error) => refusalReply(error, redactor, word),
  });
}

/** A caller who may not make the change is told so, and not what the first request with this key was answered. */
async function keyedRequest<Services>(open: OpenRequest<Services>): Promise<KeyedRequest | undefined> {
  const { route, context, visitor, id, bodyText } = open;
  const header = context.req.header("idempotency-key");
  if (header === undefined || !canChange(route, visitor.principal)) return undefined;
  const { path } = context.req;
  const whose = [visitor.principal.id, ...visitor.about];
  const { search } = new URL(context.req.url);
  return {
    key: hashParts(...whose, route.method, path, parseKey(header)),
    request: hashParts(search, context.req.header("if-match"), await bodyText()),
    id,
    secret: route.givesSecret === true,
  };
}

/** Gets nothing before the answer, and cannot be asked. */
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
    throw new ForgeError("VALIDATION_ERROR", "This asks questions, which is not possible over HTTP.");
  }
}

/** For errors thrown outside a route's own run. */
function fail<Services>(error: Error, context: Context, options: RouteContext<Services>): Response {
  const { log, redactor, newId, word } = options;
  const id: string | undefined = context.get(requestId);
  const headers = options.headers?.();
  if (error instanceof ForgeError) return toResponse(refusalReply(error, redactor, word), headers, id);
  const reference = id ?? newId();
  if (!isCutOff(context))
    log("a request failed", { reference, path: context.req.path, error: redactor.text(error.stack ?? error.message) });
  return toResponse(errorReply(bodyOf(error, reference), { word }), headers, id);
}
