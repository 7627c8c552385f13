import type { z } from "zod";
import type { Once } from "./call.ts";
import { ForgeError } from "./errors.ts";
import { type Caller, type Outcome, parse, perform, type Runtime, requireScope, type What } from "./invoke.ts";
import { assertWithinLimits } from "./limits.ts";
import type { Route, RouteFile, RouteInput } from "./route.ts";
import { validationError } from "./validation.ts";

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

type Serving = {
  /** What the call is known by. */
  id: string;
  /** Read once the caller is known to be allowed. */
  request(): Promise<RouteRequest>;
  /** What the call is about beside what the route says: the team. */
  about: readonly string[];
  once: Once | undefined;
};

/** Runs a route. What was looked at is not recorded: clients poll, and that would push what was changed out of the ledger. */
export function serveRoute<Services>(
  runtime: Runtime<Services>,
  route: Route<Services>,
  { id, request, about, once }: Serving,
  caller: Caller,
): Promise<Outcome<RouteAnswer>> {
  const { effect, scope } = route;
  const what: What = {
    id,
    kind: "route",
    name: nameOf(route),
    effect,
    scope: scope === "public" || scope === "signed-in" ? undefined : scope,
    deadlineMs: undefined,
    untrusted: undefined,
    quiet: true,
    ...(once && { once }),
  };
  return perform(runtime, what, caller, async (call) => {
    call.record.about = [...about];
    // Before the input is looked at: who may not call it is told that, whatever was sent.
    requireScope(caller.principal, what);
    const input = inputOf(route, await request());
    call.record.about.push(...(route.about?.(input.params) ?? []));
    return async () => {
      const made = await route.run(runtime.services, input, call);
      const before = isFrozen(made) ? known.get(made) : undefined;
      return before && isMadeAlike(before, route) ? before.answer : answerOf(runtime, route, made);
    };
  });
}

/** What an answer is made by. */
type Making = { output: unknown; revision: unknown; file: unknown };

/** What a route gives frozen is the same when it gives it again: it is checked and written once. */
const known = new WeakMap<object, Making & { answer: RouteAnswer }>();

function makingOf<Services>({ output, revision, file }: Route<Services>): Making {
  return { output, revision, file };
}

/** Several routes answer with the same thing. */
function isMadeAlike<Services>(before: Making, route: Route<Services>): boolean {
  const { output, revision, file } = before;
  return route.verbatim === true && output === route.output && revision === route.revision && file === route.file;
}

function isFrozen(made: unknown): made is object {
  return typeof made === "object" && made !== null && Object.isFrozen(made);
}

function answerOf<Services>(runtime: Runtime<Services>, route: Route<Services>, made: unknown): RouteAnswer {
  const checked = checkedOutput(route, made);
  const output = route.givesSecret || route.verbatim ? checked : runtime.redactor.value(checked);
  let json: string | undefined;
  const text = () => (json ??= JSON.stringify(output));
  const file = route.file && { ...route.file.make(output), mediaType: route.file.mediaType };
  const answer = { file, revision: route.revision?.(output), text };
  if (route.verbatim && isFrozen(made)) known.set(made, { ...makingOf(route), answer });
  return answer;
}

const names = new WeakMap<object, string>();

export function nameOf(route: Pick<Route<never>, "method" | "path">): string {
  let name = names.get(route);
  if (name === undefined) {
    name = `${route.method} ${route.path}`;
    names.set(route, name);
  }
  return name;
}

type Input = RouteInput<Record<string, unknown>, Record<string, unknown>, unknown>;

function inputOf<Services>(route: Route<Services>, given: RouteRequest): Input {
  const what = nameOf(route);
  // A condition that nobody looks at must not pass for one that was met.
  if (given.ifMatch !== undefined && !route.conditional) throw hasNoRevision(what);
  const params = parse(route.params, given.params, `path for ${what}`);
  const query = isEmptyObject(given.query) ? nothingAsked(route) : parse(route.query, given.query, `query for ${what}`);
  return { params, query, body: bodyFor(route, given.body), ifMatch: given.ifMatch };
}

const asksNothing = new WeakMap<object, Record<string, unknown>>();

/** Most requests have no query, and what that means is always the same. */
function nothingAsked<Services>(route: Route<Services>): Record<string, unknown> {
  const before = asksNothing.get(route.query);
  if (before) return before;
  const query = Object.freeze(parse(route.query, {}, `query for ${nameOf(route)}`));
  asksNothing.set(route.query, query);
  return query;
}

function hasNoRevision(what: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${what} heeds no If-Match: what it changes has no revision.`, {
    next: ["Send the request without If-Match."],
  });
}

function bodyFor<Services>(route: Route<Services>, given: unknown): unknown {
  if (!route.body) {
    if (given === undefined || isEmptyObject(given)) return undefined;
    throw new ForgeError("VALIDATION_ERROR", `${nameOf(route)} takes no body.`, {
      next: ["Send the request without a body."],
    });
  }
  assertWithinLimits(given);
  const parsed = route.body.safeParse(given);
  if (parsed.success) return parsed.data;
  throw validationError(parsed.error, `body for ${nameOf(route)}`, fieldsOf(route.body));
}

function isEmptyObject(given: unknown): boolean {
  return typeof given === "object" && given !== null && !Array.isArray(given) && Object.keys(given).length === 0;
}

function fieldsOf(schema: z.ZodType): string[] {
  return "shape" in schema && typeof schema.shape === "object" && schema.shape ? Object.keys(schema.shape) : [];
}

function checkedOutput<Services>(route: Route<Services>, made: unknown): unknown {
  const parsed = route.output.safeParse(made);
  if (parsed.success) return parsed.data;
  throw new Error(`${nameOf(route)} returned what its output schema does not allow: ${parsed.error.message}`);
}
