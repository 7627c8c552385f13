import type { z } from "zod";
import type { Route, RouteFile, RouteInput } from "../definitions/route.ts";
import { ForgeError } from "../errors.ts";
import { isRecord } from "../json.ts";
import type { Scope } from "../principal.ts";
import type { Once } from "./call.ts";
import { assertWithinLimits } from "./input-limits.ts";
import { type Caller, type CallPlan, type Outcome, parse, perform, type Runtime, requireScope } from "./invoke.ts";
import { keepAnswer, keptAnswer } from "./kept-answers.ts";
import { validationError } from "./validation-error.ts";

/** A request as it came, before anything was checked. */
export type RouteRequest = {
  params: unknown;
  query: unknown;
  /** Undefined where none was sent. */
  body: unknown;
  ifMatch: number | undefined;
};

/** A route's answer in the forms a host needs. */
export type RouteAnswer = {
  file: (RouteFile & { mediaType: string }) | undefined;
  revision: number | undefined;
  /** The output as JSON. */
  text(): string;
};

type RouteCall = {
  /** What the call is known by. */
  id: string;
  /** Read once the caller is known to be allowed. */
  request(): Promise<RouteRequest>;
  /** What the call is about beside what the route says: the team. */
  about: readonly string[];
  once: Once | undefined;
};

/** Runs a route. Reads are not recorded: clients poll, and their reads would push changes out of the ledger. */
export function serveRoute<Services>(
  runtime: Runtime<Services>,
  route: Route<Services>,
  { id, request, about, once }: RouteCall,
  caller: Caller,
): Promise<Outcome<RouteAnswer>> {
  const { effect } = route;
  const what: CallPlan = {
    id,
    kind: "route",
    name: nameOf(route),
    effect,
    scope: scopeOf(route),
    deadlineMs: undefined,
    untrusted: undefined,
    quiet: true,
    ...(once && { once }),
  };
  return perform(runtime, what, caller, async (call) => {
    call.record.about = [...about];
    // Before the input is read: a caller who is not allowed gets that error, whatever was sent.
    requireScope(caller.principal, what);
    const input = parseInput(route, await request());
    call.record.about.push(...(route.about?.(input.params) ?? []));
    return async () => {
      const output = await route.run(runtime.services, input, call);
      return keptAnswer(route, output) ?? makeAnswer(runtime, route, output);
    };
  });
}

function makeAnswer<Services>(runtime: Runtime<Services>, route: Route<Services>, given: unknown): RouteAnswer {
  const checked = checkOutput(route, given);
  const output = route.givesSecret || route.verbatim ? checked : runtime.redactor.value(checked);
  let json: string | undefined;
  const text = () => (json ??= JSON.stringify(output));
  const file = route.file && { ...route.file.make(output), mediaType: route.file.mediaType };
  const answer = { file, revision: route.revision?.(output), text };
  keepAnswer(route, given, answer);
  return answer;
}

/** What the caller's token must have; undefined if being signed in is enough, or not even needed. */
export function scopeOf({ scope }: Pick<Route<never>, "scope">): Scope | undefined {
  return scope === "public" || scope === "signed-in" ? undefined : scope;
}

export function nameOf({ method, path }: Pick<Route<never>, "method" | "path">): string {
  return `${method} ${path}`;
}

type Input = RouteInput<Record<string, unknown>, Record<string, unknown>, unknown>;

function parseInput<Services>(route: Route<Services>, given: RouteRequest): Input {
  const what = nameOf(route);
  // A condition that is not checked must not look as if it was met.
  if (given.ifMatch !== undefined && !route.conditional) throw hasNoRevision(what);
  const params = parse(route.params, given.params, `path for ${what}`);
  const query = parse(route.query, given.query, `query for ${what}`);
  return { params, query, body: parseBody(route, given.body), ifMatch: given.ifMatch };
}

function hasNoRevision(what: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${what} does not support If-Match: what it changes has no revision.`, {
    next: ["Send the request without If-Match."],
  });
}

function parseBody<Services>(route: Route<Services>, given: unknown): unknown {
  if (!route.body) {
    if (given === undefined || (isRecord(given) && Object.keys(given).length === 0)) return undefined;
    throw new ForgeError("VALIDATION_ERROR", `${nameOf(route)} does not take a body.`, {
      next: ["Send the request without a body."],
    });
  }
  assertWithinLimits(given);
  const parsed = route.body.safeParse(given);
  if (parsed.success) return parsed.data;
  throw validationError(parsed.error, `body for ${nameOf(route)}`, fieldsOf(route.body));
}

function fieldsOf(schema: z.ZodType): string[] {
  return "shape" in schema && typeof schema.shape === "object" && schema.shape ? Object.keys(schema.shape) : [];
}

function checkOutput<Services>(route: Route<Services>, output: unknown): unknown {
  const parsed = route.output.safeParse(output);
  if (parsed.success) return parsed.data;
  throw new Error(`${nameOf(route)} returned what its output schema does not allow: ${parsed.error.message}`);
}
