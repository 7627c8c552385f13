import type { Route } from "../definitions/route.ts";
import { isRecord } from "../json.ts";
import type { RouteAnswer } from "./serve-route.ts";

/**
 * What serving a route need not do twice. Each cache is asked in one line of `serve-route.ts` and can be removed with it:
 * `keptAnswer(…) ??` and `keepAnswer(…)`, or `emptyQuery(…) ??`.
 */

/** An answer with what it was made by. */
type KeptAnswer = { output: unknown; revision: unknown; file: unknown; answer: RouteAnswer };

/** By what the route returned. Several routes return the same thing. */
const answers = new WeakMap<object, KeptAnswer>();

/** A route that returns a frozen object again returns the same: it is checked and written as JSON once. */
export function keptAnswer<Services>(route: Route<Services>, given: unknown): RouteAnswer | undefined {
  const kept = route.verbatim && isFrozen(given) ? answers.get(given) : undefined;
  const { output, revision, file } = route;
  return kept?.output === output && kept.revision === revision && kept.file === file ? kept.answer : undefined;
}

export function keepAnswer<Services>(route: Route<Services>, given: unknown, answer: RouteAnswer): void {
  const { output, revision, file } = route;
  if (route.verbatim && isFrozen(given)) answers.set(given, { output, revision, file, answer });
}

function isFrozen(given: unknown): given is object {
  return typeof given === "object" && given !== null && Object.isFrozen(given);
}

const emptyQueries = new WeakMap<object, Record<string, unknown>>();

/** Most requests have no query, and what that parses to is always the same. Undefined where there is one. */
export function emptyQuery<Services>({ query }: Route<Services>, given: unknown): Record<string, unknown> | undefined {
  if (!isRecord(given) || Object.keys(given).length > 0) return undefined;
  const kept = emptyQueries.get(query);
  if (kept) return kept;
  const parsed = query.safeParse({});
  // What is missing is for the ordinary way to say.
  if (!parsed.success) return undefined;
  emptyQueries.set(query, Object.freeze(parsed.data));
  return parsed.data;
}
